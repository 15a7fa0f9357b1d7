import { useEffect, useState } from "react";
import { Row } from "../../records/records.tsx";
import { useTexts } from "../../texts/language.tsx";
import { Badge, Button, Choice, Field, Panel, TextField } from "../../ui/controls.tsx";
import layout from "../../ui/layout.module.css";
import { CallerFields, type CallsToPlay } from "./caller-fields.tsx";
import { ExpectRows, type Known, Named } from "./expect-rows.tsx";
import styles from "./rehearsal.module.css";
import { type CaseDraft, newReply, REPLY_KINDS } from "./rehearsal-draft.ts";
import { Rows } from "./rows.tsx";
import { TEXTS } from "./texts.ts";

export type CaseProps = {
  readonly of: CaseDraft;
  readonly place: number;
  readonly isNew: boolean;
  readonly known: Known;
  readonly calls: CallsToPlay;
  readonly faultOf: (name: string) => string | undefined;
  /** Names of its controls that were refused. */
  readonly refused: readonly string[];
  readonly change: (of: CaseDraft) => void;
  readonly copy: () => void;
  readonly remove: () => void;
};

/** Parts of a case that stand outside of what is folded. */
const SHOWN = ["name", "caller", "expect"];

/** Who is called, what they do, and what must be so at the end. */
export function CaseCard(props: CaseProps) {
  const { of, place, isNew, known, calls, faultOf, refused, change, copy, remove } = props;
  const say = useTexts(TEXTS);
  const [isOpen, setOpen] = useState(isNew);
  const name = `cases.${place}`;
  const isFaulty = refused.length > 0;
  const isMoreFaulty = refused.some((control) => !SHOWN.includes(control.split(".")[2] ?? ""));
  useEffect(() => {
    if (isFaulty) setOpen(true);
  }, [isFaulty]);
  return (
    <Panel>
      <details
        className={styles.case}
        open={isOpen}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
        data-case={place}
        data-kind={of.caller.kind}
      >
        <summary>
          <span data-user-text="" dir="auto">
            {of.name === "" ? say("case.unnamed", { place: place + 1 }) : of.name}
          </span>{" "}
          <Badge>{say(`caller.${of.caller.kind}`)}</Badge>
        </summary>
        <div className={`${layout.stack} ${layout.wide}`}>
          <Field
            label={say("case.name")}
            name={`${name}.name`}
            fault={faultOf(`${name}.name`)}
            required
            maxLength={255}
            dir="auto"
            value={of.name}
            onChange={({ target }) => change({ ...of, name: target.value })}
          />
          <CallerFields of={of} name={name} calls={calls} faultOf={faultOf} change={change} />
          <ExpectRows
            legend={say("expect")}
            name={`${name}.expect`}
            rows={of.expect}
            known={known}
            faultOf={faultOf}
            change={(expect) => change({ ...of, expect })}
          />
          <More of={of} name={name} known={known} faultOf={faultOf} change={change} isFaulty={isMoreFaulty} />
          <Row>
            <Button data-testid="case-copy" onClick={copy}>
              {say("case.copy")}
            </Button>
            <Button look="danger" data-testid="case-remove" onClick={remove}>
              {say("case.remove")}
            </Button>
          </Row>
        </div>
      </details>
    </Panel>
  );
}

type MoreProps = Pick<CaseProps, "of" | "known" | "faultOf" | "change"> & {
  readonly name: string;
  readonly isFaulty: boolean;
};

/** What a case seldom says; what is left empty is as on a call. */
function More({ of, name, known, faultOf, change, isFaulty }: MoreProps) {
  const say = useTexts(TEXTS);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isFaulty) setOpen(true);
  }, [isFaulty]);
  const shared = (part: string) => ({ name: `${name}.${part}`, fault: faultOf(`${name}.${part}`) });
  const text = (
    field: "contactName" | "timezone" | "customData" | "greetingMessage" | "specialInstructions",
    part: string,
  ) => ({
    ...shared(part),
    label: say(`case.${field}`),
    dir: "auto" as const,
    value: of[field],
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      change({ ...of, [field]: target.value }),
  });
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      data-testid="case-more"
    >
      <summary>{say("case.more")}</summary>
      <div className={`${layout.stack} ${layout.wide}`}>
        <Replies of={of} name={name} known={known} faultOf={faultOf} change={change} />
        <div className={styles.row}>
          <Field {...text("contactName", "contact.name")} />
          <Field {...text("timezone", "contact.timezone")} placeholder="Europe/Istanbul" dir="ltr" />
          <Field
            {...shared("at")}
            label={say("case.at")}
            type="datetime-local"
            value={localOf(of.at)}
            onChange={({ target }) => change({ ...of, at: instantOf(target.value) })}
          />
        </div>
        <Field {...text("customData", "contact.customData")} hint={say("json.hint")} dir="ltr" />
        <TextField {...text("greetingMessage", "greetingMessage")} rows={2} />
        <TextField {...text("specialInstructions", "specialInstructions")} rows={2} />
        <div className={styles.row}>
          <Field
            {...shared("maxTurns")}
            label={say("case.maxTurns")}
            type="number"
            min={1}
            max={20}
            placeholder="10"
            value={of.maxTurns}
            onChange={({ target }) => change({ ...of, maxTurns: target.value })}
          />
          <Field
            {...shared("passAt")}
            label={say("passAt")}
            type="number"
            min={0}
            max={1}
            step="any"
            value={of.passAt}
            onChange={({ target }) => change({ ...of, passAt: target.value })}
          />
        </div>
      </div>
    </details>
  );
}

function Replies({ of, name, known, faultOf, change }: Omit<MoreProps, "isFaulty">) {
  const say = useTexts(TEXTS);
  return (
    <Rows
      legend={say("replies")}
      testid={`replies-${of.id}`}
      rows={of.replies}
      most={50}
      add={say("replies.add")}
      make={() => newReply(known.tools[0] ?? "")}
      change={(replies) => change({ ...of, replies })}
    >
      {(row, place, set) => {
        const at = `${name}.tools.${place}`;
        return (
          <>
            <Named
              label={say("tool")}
              name={`${at}.tool`}
              fault={faultOf(`${at}.tool`)}
              names={known.tools}
              value={row.tool}
              onChoose={(tool) => set({ ...row, tool })}
            />
            <Choice
              label={say("replies.kind")}
              name={`${at}.kind`}
              value={row.kind}
              onChange={({ target }) =>
                set({ ...row, kind: REPLY_KINDS.find((kind) => kind === target.value) ?? row.kind })
              }
            >
              {REPLY_KINDS.map((kind) => (
                <option key={kind} value={kind}>
                  {say(`replies.${kind}`)}
                </option>
              ))}
            </Choice>
            <Field
              label={say("replies.when")}
              hint={say("json.hint")}
              name={`${at}.when`}
              fault={faultOf(`${at}.when`)}
              dir="ltr"
              value={row.when}
              onChange={({ target }) => set({ ...row, when: target.value })}
            />
            {row.kind === "answer" ? (
              <TextField
                label={say("replies.text")}
                name={`${at}.answer`}
                fault={faultOf(`${at}.answer`)}
                rows={2}
                dir="auto"
                value={row.answer}
                onChange={({ target }) => set({ ...row, answer: target.value })}
              />
            ) : null}
          </>
        );
      }}
    </Rows>
  );
}

const MINUTE_MILLIS = 60_000;
/** `2026-12-01T09:30`, by the reader's clock. */
function localOf(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return "";
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MILLIS).toISOString().slice(0, 16);
}
const instantOf = (local: string): string => (local === "" ? "" : new Date(local).toISOString());
