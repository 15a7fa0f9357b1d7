import { useState } from "react";
import type { UserRecord } from "../../../../contract/user.ts";
import { patch, post } from "../../api/request.ts";
import { Form, Row, textOf } from "../../records/records.tsx";
import { useCommand } from "../../records/use-command.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Check, Dialog, Field } from "../../ui/controls.tsx";
import { ShownKey } from "./shown-key.tsx";
import { type NewKey, PATH, TEXTS } from "./texts.ts";

const PLAN = ["maxConcurrentCalls", "maxCallsPerSecond"] as const;

/** What is filled in and is not so already: an empty field keeps what holds, and a plan is whose it was. */
function planOf(fields: FormData, before?: UserRecord["plan"]): Readonly<Record<string, number>> {
  const given = PLAN.map((name) => [name, textOf(fields, `plan.${name}`)] as const);
  return Object.fromEntries(
    given.flatMap(([name, text]) =>
      text === null || Number(text) === before?.[name] ? [] : [[name, Number(text)]],
    ),
  );
}

export function NewUser({ onClose }: { readonly onClose: () => void }) {
  const say = useTexts(TEXTS);
  const { busy, fault, run } = useCommand(PATH);
  const [made, setMade] = useState<NewKey>();
  const make = async (fields: FormData) => {
    const credits = textOf(fields, "credits");
    const body = {
      name: String(fields.get("name")),
      plan: planOf(fields),
      ...(credits === null ? {} : { credits: Number(credits) }),
    };
    const answer = await run(() => post(PATH, { body }));
    setMade(answer?.apiKey);
  };
  return (
    <Dialog title={say("add")} onClose={onClose}>
      {made === undefined ? (
        <Form onSubmit={make} fault={fault}>
          <Field label={say("name")} name="name" required maxLength={255} />
          <PlanFields />
          <Field label={say("credits")} name="credits" type="number" min={0} step="0.0001" />
          <Row>
            <Button type="submit" look="strong" data-testid="create" disabled={busy}>
              {say("make")}
            </Button>
          </Row>
        </Form>
      ) : (
        <ShownKey of={made} />
      )}
    </Dialog>
  );
}

export function ChangeUser({ user, onClose }: { readonly user: UserRecord; readonly onClose: () => void }) {
  const say = useTexts(TEXTS);
  const { busy, fault, run } = useCommand(PATH);
  const save = async (fields: FormData) => {
    const plan = fields.has("plan.default") ? null : planOf(fields, user.plan);
    const body = { name: String(fields.get("name")), plan, active: fields.has("active") };
    if ((await run(() => patch(`${PATH}/:id`, { params: { id: user.id }, body }))) !== undefined) onClose();
  };
  return (
    <Dialog title={user.name} onClose={onClose}>
      <Form onSubmit={save} fault={fault}>
        <Field label={say("name")} name="name" required maxLength={255} defaultValue={user.name} />
        <PlanFields plan={user.plan} />
        {user.plan.source === "operator" ? (
          <Check label={say("plan.default")} name="plan.default" />
        ) : (
          <p>{say("plan.follows")}</p>
        )}
        <Check label={say("active.told")} name="active" defaultChecked={user.active} />
        <Row>
          <Button type="submit" look="strong" data-testid="save" disabled={busy}>
            {say("save")}
          </Button>
        </Row>
      </Form>
    </Dialog>
  );
}

function PlanFields({ plan }: { readonly plan?: UserRecord["plan"] | undefined }) {
  const say = useTexts(TEXTS);
  return (
    <>
      <Field
        label={say("lines")}
        name="plan.maxConcurrentCalls"
        type="number"
        min={1}
        defaultValue={plan?.maxConcurrentCalls}
      />
      <Field
        label={say("pace")}
        name="plan.maxCallsPerSecond"
        type="number"
        min={0.001}
        step="any"
        defaultValue={plan?.maxCallsPerSecond}
      />
    </>
  );
}
