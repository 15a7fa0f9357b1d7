import { useState } from "react";
import type { SuppressionListRecord } from "../../../../../contract/suppression-list.ts";
import { patch, post, remove } from "../../../api/request.ts";
import { useListKind } from "../../../policy/list-kind.tsx";
import { Confirm } from "../../../records/confirm.tsx";
import { Form, Row, textOf } from "../../../records/records.tsx";
import { useCommand } from "../../../records/use-command.ts";
import { useFormat } from "../../../texts/format.ts";
import { useTexts } from "../../../texts/language.tsx";
import { Button, Choice, Dialog, Field } from "../../../ui/controls.tsx";
import { TEXTS } from "../texts.ts";
import { LISTS } from "./list-standing.ts";

const LIST = `${LISTS}/:id` as const;
/** Kinds of lists that are loaded from a file. */
const KINDS = [
  "registry",
  "litigators",
  "own",
  "other",
] as const satisfies readonly SuppressionListRecord["kind"][];

type Of = { readonly of: SuppressionListRecord };

/** Makes a list, or renames one: its kind stays. */
export function ListForm({ of, onClose }: Partial<Of> & { readonly onClose: () => void }) {
  const say = useTexts(TEXTS);
  const frame = useTexts();
  const kindOf = useListKind();
  const { busy, fault, run } = useCommand(LISTS);
  const save = async (fields: FormData) => {
    const name = textOf(fields, "name") ?? "";
    const kind = KINDS.find((each) => each === fields.get("kind")) ?? "other";
    const done = await run(() =>
      of === undefined
        ? post(LISTS, { body: { name, kind } })
        : patch(LIST, { params: { id: of.id }, body: { name } }),
    );
    if (done !== undefined) onClose();
  };
  return (
    <Dialog title={say(of === undefined ? "list.add" : "list.rename")} onClose={onClose}>
      <Form onSubmit={save} fault={fault}>
        <Field label={say("list.name")} name="name" required maxLength={255} defaultValue={of?.name} />
        {of === undefined ? (
          <Choice label={say("list.kind")} hint={say("list.kind.hint")} name="kind">
            {KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {kindOf(kind)}
              </option>
            ))}
          </Choice>
        ) : null}
        <Row>
          <Button type="submit" look="strong" data-testid="save-list" disabled={busy}>
            {frame(of === undefined ? "create" : "save")}
          </Button>
        </Row>
      </Form>
    </Dialog>
  );
}

/** On or off; off asks first, because people are called then. */
export function SwitchList({ of }: Of) {
  const say = useTexts(TEXTS);
  const [isAsking, ask] = useState(false);
  const command = useCommand(LISTS);
  const turn = async (active: boolean) => {
    const done = await command.run(() => patch(LIST, { params: { id: of.id }, body: { active } }));
    if (done !== undefined) ask(false);
  };
  return (
    <>
      <Button
        data-testid="switch"
        disabled={command.busy}
        onClick={() => (of.active ? ask(true) : void turn(true))}
      >
        {say(of.active ? "list.off" : "list.on")}
      </Button>
      {isAsking ? (
        <Sure
          of={of}
          title="list.off.title"
          action="list.off"
          command={command}
          onConfirm={() => void turn(false)}
          onClose={() => ask(false)}
        />
      ) : null}
    </>
  );
}

export function RemoveList({ of }: Of) {
  const frame = useTexts();
  const [isAsking, ask] = useState(false);
  const command = useCommand(LISTS);
  const confirmed = async () => {
    const done = await command.run(() => remove(LIST, { params: { id: of.id } }));
    if (done !== undefined) ask(false);
  };
  return (
    <>
      <Button look="danger" data-testid="remove-list" onClick={() => ask(true)}>
        {frame("delete")}
      </Button>
      {isAsking ? (
        <Sure
          of={of}
          title="list.remove.title"
          action="list.remove"
          command={command}
          onConfirm={() => void confirmed()}
          onClose={() => ask(false)}
        />
      ) : null}
    </>
  );
}

type SureProps = Of & {
  readonly title: "list.off.title" | "list.remove.title";
  readonly action: "list.off" | "list.remove";
  readonly command: { readonly busy: boolean; readonly fault: unknown };
  readonly onConfirm: () => void;
  readonly onClose: () => void;
};

function Sure({ of, title, action, ...rest }: SureProps) {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  return (
    <Confirm title={say(title)} action={say(action)} {...rest}>
      <p>
        <strong data-user-text="" dir="auto">
          {of.name}
        </strong>
        : {say("list.sure", { count: number(of.count) })}
      </p>
    </Confirm>
  );
}
