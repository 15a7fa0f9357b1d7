import type { CallListRecord, CallRecord } from "../../../../contract/call.ts";
import { get } from "../../api/request.ts";
import { Fault, Muted } from "../../records/records.tsx";
import { useCommand } from "../../records/use-command.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Choice, Field, TextField } from "../../ui/controls.tsx";
import { type CaseDraft, newTurn, TURN_KINDS, type TurnRow } from "./rehearsal-draft.ts";
import { Rows } from "./rows.tsx";
import { TEXTS } from "./texts.ts";

/** Calls that were answered and are over, newest first. */
export type CallsToPlay = readonly CallListRecord[];

type CallerProps = {
  readonly of: CaseDraft;
  /** Begin of the controls' names: `cases.1`. */
  readonly name: string;
  readonly calls: CallsToPlay;
  readonly faultOf: (name: string) => string | undefined;
  readonly change: (of: CaseDraft) => void;
};

/** What the customer does: written down, as on a past call, or as a model plays them. */
export function CallerFields({ of, name, calls, faultOf, change }: CallerProps) {
  const say = useTexts(TEXTS);
  const { caller } = of;
  if (caller.kind === "past")
    return (
      <PastFields
        of={of}
        callId={caller.callId}
        name={name}
        calls={calls}
        faultOf={faultOf}
        change={change}
      />
    );
  if (caller.kind === "written")
    return (
      <Rows
        legend={say("turns")}
        testid={`turns-${of.id}`}
        rows={caller.turns}
        most={50}
        add={say("turns.add")}
        make={newTurn}
        change={(turns) => change({ ...of, caller: { kind: "written", turns } })}
      >
        {(row, place, set, next) => (
          <OneTurn
            row={row}
            name={`${name}.caller.says.${place}`}
            isFirst={place === 0}
            faultOf={faultOf}
            change={set}
            next={next}
          />
        )}
      </Rows>
    );
  const { persona, goal } = caller;
  return (
    <>
      <TextField
        label={say("persona")}
        hint={say("persona.hint")}
        name={`${name}.caller.persona`}
        fault={faultOf(`${name}.caller.persona`)}
        required
        rows={3}
        dir="auto"
        value={persona}
        onChange={({ target }) => change({ ...of, caller: { kind: "persona", persona: target.value, goal } })}
      />
      <Field
        label={say("persona.goal")}
        name={`${name}.caller.goal`}
        fault={faultOf(`${name}.caller.goal`)}
        dir="auto"
        value={goal}
        onChange={({ target }) => change({ ...of, caller: { kind: "persona", persona, goal: target.value } })}
      />
    </>
  );
}

type TurnProps = Pick<CallerProps, "name" | "faultOf"> & {
  readonly row: TurnRow;
  readonly isFirst: boolean;
  readonly change: (row: TurnRow) => void;
  readonly next: () => void;
};

/** Enter adds the turn after it. */
function OneTurn({ row, name, isFirst, faultOf, change, next }: TurnProps) {
  const say = useTexts(TEXTS);
  const { kind, text } = row;
  return (
    <>
      <Choice
        label={say("turn.kind")}
        name={`${name}.kind`}
        value={kind}
        onChange={({ target }) =>
          change({ ...row, kind: TURN_KINDS.find((each) => each === target.value) ?? kind })
        }
      >
        {TURN_KINDS.filter((each) => isFirst || each !== "machine" || kind === "machine").map((each) => (
          <option key={each} value={each}>
            {say(`turn.${each}`)}
          </option>
        ))}
      </Choice>
      {kind === "silence" ? null : (
        <Field
          label={say(`turn.${kind}.text`)}
          name={name}
          fault={faultOf(name)}
          required
          {...(kind === "keys"
            ? { dir: "ltr" as const, pattern: "[0-9*#]{1,32}" }
            : { dir: "auto" as const })}
          value={text}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
            event.preventDefault();
            next();
          }}
          onChange={({ target }) => change({ ...row, text: target.value })}
        />
      )}
    </>
  );
}

function PastFields({ of, callId, name, calls, faultOf, change }: CallerProps & { readonly callId: string }) {
  const say = useTexts(TEXTS);
  const { moment } = useFormat();
  const { busy, fault, run } = useCommand();
  const isListed = calls.some(({ id }) => id === callId);
  const write = async () => {
    const call = await run(() => get("/api/v1/calls/:callId", { params: { callId } }));
    if (call !== undefined) change(writtenFrom(of, call));
  };
  return (
    <>
      <Choice
        label={say("past.call")}
        name={`${name}.caller.callId`}
        fault={faultOf(`${name}.caller.callId`)}
        value={callId}
        onChange={({ target }) => change({ ...of, caller: { kind: "past", callId: target.value } })}
      >
        {isListed ? null : (
          <option value={callId} data-user-text="">
            {callId}
          </option>
        )}
        {calls.map(({ id, to, createdAt }) => (
          <option key={id} value={id}>
            {to} · {moment(createdAt)}
          </option>
        ))}
      </Choice>
      <Muted>{say("past.told")}</Muted>
      <div>
        <Button data-testid="case-write" disabled={busy} onClick={() => void write()}>
          {say("past.write")}
        </Button>
      </div>
      <Fault error={fault} />
    </>
  );
}

/** The words of a call as turns that can be changed; erasing the call still erases what was made from it. */
function writtenFrom(of: CaseDraft, call: CallRecord): CaseDraft {
  const said = call.messages.flatMap(({ role, content }) =>
    role === "customer" && content !== null && content.trim() !== "" ? [newTurn("words", content)] : [],
  );
  return {
    ...of,
    caller: { kind: "written", turns: said },
    fromCallId: call.id,
    at: call.connectedAt ?? of.at,
    greetingMessage: call.greetingMessage ?? of.greetingMessage,
    specialInstructions: call.specialInstructions ?? of.specialInstructions,
  };
}
