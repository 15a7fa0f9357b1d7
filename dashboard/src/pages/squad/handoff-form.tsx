import { useState } from "react";
import type { HandoffRecord } from "../../../../contract/handoff.ts";
import type { SquadRecord } from "../../../../contract/squad.ts";
import { patch, post } from "../../api/request.ts";
import { Form, Row, textOf } from "../../records/records.tsx";
import { useCommand } from "../../records/use-command.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Check, Choice, Dialog, Field, TextField } from "../../ui/controls.tsx";
import { CONTEXT_MODES, PATH, TEXTS } from "../squads/texts.ts";
import { type Named, nameIn } from "./use-assistants.ts";

const HANDOFFS = `${PATH}/:id/handoffs` as const;
export const HANDOFF = `${HANDOFFS}/:handoffId` as const;

type FormProps = {
  readonly squad: SquadRecord;
  /** null: a new one. */
  readonly of: HandoffRecord | null;
  readonly assistants: readonly Named[];
  readonly onClose: () => void;
};

/** A new or changed handoff; its ends do not change. */
export function HandoffForm({ squad, of, assistants, onClose }: FormProps) {
  const say = useTexts(TEXTS);
  const { busy, fault, run } = useCommand(PATH);
  const send = (fields: FormData) => {
    const { id } = squad;
    const body = bodyOf(fields);
    if (of !== null) return patch(HANDOFF, { params: { id, handoffId: of.id }, body });
    const [fromMemberId, toMemberId] = [String(fields.get("fromMemberId")), String(fields.get("toMemberId"))];
    return post(HANDOFFS, { params: { id }, body: { ...body, fromMemberId, toMemberId } });
  };
  const save = async (fields: FormData) => {
    const saved = await run(() => send(fields));
    if (saved !== undefined) onClose();
  };
  return (
    <Dialog title={say(of === null ? "handoff.add" : "handoff.change")} onClose={onClose}>
      <Form onSubmit={save} fault={fault}>
        {of === null ? <Ends squad={squad} assistants={assistants} /> : null}
        <TextField
          label={say("when")}
          name="description"
          required
          dir="auto"
          defaultValue={of?.description ?? ""}
        />
        <TextField label={say("words")} name="message" dir="auto" rows={2} defaultValue={of?.message ?? ""} />
        <Context of={of} />
        <Check label={say("enabled")} name="enabled" defaultChecked={of?.enabled ?? true} />
        <Row>
          <Button type="submit" look="strong" data-testid="save-handoff" disabled={busy}>
            {say("save")}
          </Button>
        </Row>
      </Form>
    </Dialog>
  );
}

function bodyOf(fields: FormData) {
  const max = textOf(fields, "contextMaxMessages");
  return {
    description: String(fields.get("description")),
    message: textOf(fields, "message"),
    contextMode: CONTEXT_MODES.find((mode) => mode === fields.get("contextMode")) ?? "all",
    contextMaxMessages: max === null ? null : Number(max),
    enabled: fields.has("enabled"),
  };
}

function Context({ of }: { readonly of: HandoffRecord | null }) {
  const say = useTexts(TEXTS);
  const [mode, setMode] = useState<string>(of?.contextMode ?? "all");
  return (
    <>
      <Choice
        label={say("context")}
        name="contextMode"
        value={mode}
        onChange={({ target }) => setMode(target.value)}
      >
        {CONTEXT_MODES.map((each) => (
          <option key={each} value={each}>
            {say(`context.${each}`)}
          </option>
        ))}
      </Choice>
      {mode === "last_n" ? (
        <Field
          label={say("max")}
          name="contextMaxMessages"
          type="number"
          min={1}
          required
          defaultValue={of?.contextMaxMessages ?? 10}
        />
      ) : null}
    </>
  );
}

function Ends({ squad: { members }, assistants }: Pick<FormProps, "squad" | "assistants">) {
  const say = useTexts(TEXTS);
  const [from, setFrom] = useState(members[0]?.id ?? "");
  const options = (those: typeof members) =>
    those.map(({ id, assistantId }) => (
      <option key={id} value={id} data-user-text="">
        {nameIn(assistants, assistantId)}
      </option>
    ));
  return (
    <>
      <Choice
        label={say("from")}
        name="fromMemberId"
        value={from}
        onChange={({ target }) => setFrom(target.value)}
      >
        {options(members)}
      </Choice>
      <Choice label={say("to")} name="toMemberId">
        {options(members.filter(({ id }) => id !== from))}
      </Choice>
    </>
  );
}
