import type { AssistantRecord } from "../../../../contract/assistant.ts";
import type { JsonValue } from "../../../../domain/shared/json.ts";
import { useTexts } from "../../texts/language.tsx";
import { Choice, Field, TextField } from "../../ui/controls.tsx";
import { useEndReason } from "../calls/words.tsx";
import {
  END_REASON_NAMES,
  EXPECT_KINDS,
  type ExpectKind,
  type ExpectRow,
  newExpect,
} from "./rehearsal-draft.ts";
import { Rows } from "./rows.tsx";
import { TEXTS } from "./texts.ts";

type OutcomeFields = NonNullable<AssistantRecord["outcome"]>["fields"];

/** What expectations may name. */
export type Known = { readonly fields: OutcomeFields; readonly tools: readonly string[] };

type ExpectRowsProps = {
  readonly legend: string;
  /** Begin of the controls' names: `expect` or `cases.1.expect`. */
  readonly name: string;
  readonly rows: readonly ExpectRow[];
  readonly known: Known;
  readonly faultOf: (name: string) => string | undefined;
  readonly change: (rows: readonly ExpectRow[]) => void;
};

export function ExpectRows({ legend, name, rows, known, faultOf, change }: ExpectRowsProps) {
  const say = useTexts(TEXTS);
  return (
    <Rows
      legend={legend}
      testid={name.replaceAll(".", "-")}
      rows={rows}
      most={50}
      add={say("expect.add")}
      make={() => newExpect("says")}
      change={change}
    >
      {(row, place, set) => (
        <OneExpect row={row} name={`${name}.${place}`} known={known} faultOf={faultOf} change={set} />
      )}
    </Rows>
  );
}

type OneProps = Pick<ExpectRowsProps, "name" | "known" | "faultOf"> & {
  readonly row: ExpectRow;
  readonly change: (row: ExpectRow) => void;
};

/** Squads alone hand off, and outcomes have fields only where the assistant asks for some. */
const isOffered = (kind: ExpectKind, row: ExpectRow, { fields }: Known): boolean =>
  kind === row.kind ||
  (kind !== "handsOffTo" && (fields.length > 0 || (kind !== "outcome" && kind !== "success")));

function OneExpect({ row, name, known, faultOf, change }: OneProps) {
  const say = useTexts(TEXTS);
  const choose = (text: string) => {
    const kind = EXPECT_KINDS.find((each) => each === text) ?? row.kind;
    const [field] = known.fields;
    if (kind === "outcome" && field !== undefined)
      return change({ ...row, kind, name: field.name, value: field.type === "boolean" ? true : "" });
    const tool = kind === "tool" || kind === "noTool" ? (known.tools[0] ?? "") : "";
    change({ ...newExpect(kind, tool), id: row.id });
  };
  return (
    <>
      <Choice
        label={say("expect.kind")}
        name={`${name}.kind`}
        value={row.kind}
        onChange={({ target }) => choose(target.value)}
      >
        {EXPECT_KINDS.filter((kind) => isOffered(kind, row, known)).map((kind) => (
          <option key={kind} value={kind}>
            {say(`expect.${kind}`)}
          </option>
        ))}
      </Choice>
      <Value row={row} name={name} known={known} faultOf={faultOf} change={change} />
    </>
  );
}

function Value({ row, name, known, faultOf, change }: OneProps) {
  const say = useTexts(TEXTS);
  const { kind } = row;
  const text = String(row.value ?? "");
  const fault = faultOf(name);
  const set = (value: JsonValue) => change({ ...row, value });
  const shared = { name, fault, value: text, dir: "auto" as const };
  if (kind === "outcome")
    return <OutcomeValue row={row} name={name} known={known} faultOf={faultOf} change={change} />;
  if (kind === "tool" || kind === "noTool")
    return (
      <>
        <Named
          label={say("tool")}
          name={kind === "tool" ? `${name}.name` : name}
          fault={kind === "tool" ? undefined : fault}
          names={known.tools}
          value={row.name}
          onChoose={(tool) => change({ ...row, name: tool })}
        />
        {kind === "tool" ? (
          <Field
            {...shared}
            label={say("expect.arguments")}
            hint={say("json.hint")}
            dir="ltr"
            onChange={({ target }) => set(target.value)}
          />
        ) : null}
      </>
    );
  if (kind === "endReason") return <EndReasonChoice name={name} fault={fault} value={text} onChoose={set} />;
  if (kind === "success" || kind === "optedOut" || kind === "callback")
    return <YesNo label={say("expect.value")} name={name} fault={fault} value={row.value} onChoose={set} />;
  if (kind === "neverSays")
    return (
      <TextField
        {...shared}
        label={say("expect.lines")}
        rows={2}
        required
        onChange={({ target }) => set(target.value)}
      />
    );
  return (
    <Field
      {...shared}
      label={say(kind === "turnsAtMost" ? "expect.turns" : "expect.words")}
      required
      {...(kind === "turnsAtMost" ? { type: "number", min: 0, max: 100 } : {})}
      onChange={({ target }) => set(target.value)}
    />
  );
}

function OutcomeValue({ row, name, known, faultOf, change }: OneProps) {
  const say = useTexts(TEXTS);
  const field = known.fields.find((each) => each.name === row.name);
  const fault = faultOf(name);
  const set = (value: JsonValue) => change({ ...row, value });
  const text = String(row.value ?? "");
  const choose = (of: string) => {
    const next = known.fields.find((each) => each.name === of);
    change({ ...row, name: of, value: next?.type === "boolean" ? true : (next?.values?.[0] ?? "") });
  };
  const type = field?.type;
  const isNumber = type === "number" || type === "integer";
  return (
    <>
      <Named
        label={say("expect.field")}
        name={`${name}.name`}
        names={known.fields.map((each) => each.name)}
        value={row.name}
        onChoose={choose}
      />
      {type === "boolean" ? (
        <YesNo
          label={say("expect.value")}
          name={name}
          fault={fault}
          value={row.value}
          onChoose={set}
          isOpen
        />
      ) : type === "enum" ? (
        <Named
          label={say("expect.value")}
          name={name}
          fault={fault}
          names={field?.values ?? []}
          value={text}
          onChoose={(value) => set(value === "" ? null : value)}
          none={say("expect.unknown")}
        />
      ) : (
        <Field
          label={say("expect.value")}
          hint={say("expect.value.hint")}
          name={name}
          fault={fault}
          dir="auto"
          {...(isNumber ? { type: "number", step: "any" } : type === "date" ? { type: "date" } : {})}
          value={text}
          onChange={({ target }) =>
            set(target.value === "" ? null : isNumber ? Number(target.value) : target.value)
          }
        />
      )}
    </>
  );
}

type NamedProps = {
  readonly label: string;
  readonly name: string;
  readonly fault?: string | undefined;
  readonly names: readonly string[];
  readonly value: string;
  readonly onChoose: (value: string) => void;
  /** What the empty choice says; left out: there is none. */
  readonly none?: string;
};

/** A choice of names; one that is no longer there stays until another is chosen. */
export function Named({ label, name, fault, names, value, onChoose, none }: NamedProps) {
  const all = [...new Set([...names, ...(value === "" && none !== undefined ? [] : [value])])];
  return (
    <Choice
      label={label}
      name={name}
      fault={fault}
      value={value}
      onChange={({ target }) => onChoose(target.value)}
    >
      {none === undefined ? null : <option value="">{none}</option>}
      {all.map((each) => (
        <option key={each} value={each} data-user-text="">
          {each === "" ? "–" : each}
        </option>
      ))}
    </Choice>
  );
}

function EndReasonChoice({
  name,
  fault,
  value,
  onChoose,
}: Pick<NamedProps, "name" | "fault" | "value" | "onChoose">) {
  const say = useTexts(TEXTS);
  const said = useEndReason();
  return (
    <Choice
      label={say("expect.value")}
      name={name}
      fault={fault}
      value={value}
      onChange={({ target }) => onChoose(target.value)}
    >
      {[...new Set<string>([...END_REASON_NAMES, value])].map((each) => (
        <option key={each} value={each}>
          {said(each)}
        </option>
      ))}
    </Choice>
  );
}

type YesNoProps = {
  readonly label: string;
  readonly name: string;
  readonly fault: string | undefined;
  readonly value: JsonValue;
  readonly onChoose: (value: boolean | null) => void;
  /** Whether it may also be that nobody said so. */
  readonly isOpen?: boolean;
};

function YesNo({ label, name, fault, value, onChoose, isOpen = false }: YesNoProps) {
  const say = useTexts(TEXTS);
  return (
    <Choice
      label={label}
      name={name}
      fault={fault}
      value={String(value)}
      onChange={({ target }) => onChoose(target.value === "null" ? null : target.value === "true")}
    >
      <option value="true">{say("yes")}</option>
      <option value="false">{say("no")}</option>
      {isOpen ? <option value="null">{say("expect.unknown")}</option> : null}
    </Choice>
  );
}
