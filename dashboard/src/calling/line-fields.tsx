import type { ReactNode } from "react";
import type { AssistantRecord } from "../../../contract/assistant.ts";
import type { PhoneNumberRecord } from "../../../contract/phone-number.ts";
import { useTexts } from "../texts/language.tsx";
import { Choice, Field, TextField } from "../ui/controls.tsx";
import layout from "../ui/layout.module.css";
import { en } from "./en.ts";
import { tr } from "./tr.ts";

const TEXTS = { en, tr };

/** Who speaks, from which number, and what, as in the controls. */
export type LineDraft = {
  readonly name: string;
  readonly assistantId: string;
  readonly phoneNumberId: string;
  readonly greetingMessage: string;
  readonly specialInstructions: string;
};

type LineFieldsProps = {
  readonly draft: LineDraft;
  readonly change: (changed: Partial<LineDraft>) => void;
  /** Why a field is refused, by its name. */
  readonly faultOf: (name: string) => ReactNode;
  /** What calls can be made with now. What the draft has is offered also when it is not among them. */
  readonly assistants: readonly AssistantRecord[];
  readonly numbers: readonly PhoneNumberRecord[];
};

/** The name of a campaign, who calls from which number, and what is said. */
export function LineFields({ draft, change, faultOf, assistants, numbers }: LineFieldsProps) {
  const say = useTexts(TEXTS);
  const filled = <Name extends keyof LineDraft>(name: Name) => ({
    name,
    value: draft[name],
    fault: faultOf(name) ?? undefined,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      change({ [name]: target.value }),
  });
  return (
    <>
      <div className={layout.columns}>
        <Field label={say("line.name")} dir="auto" maxLength={255} {...filled("name")} />
        <Choice label={say("line.assistant")} {...filled("assistantId")}>
          <Kept id={draft.assistantId} among={assistants} />
          {assistants.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Choice>
        <Choice label={say("line.number")} {...filled("phoneNumberId")}>
          <Kept id={draft.phoneNumberId} among={numbers} />
          {numbers.map(({ id, phoneNumber, label }) => (
            <option key={id} value={id}>
              {label === null ? phoneNumber : `${phoneNumber} · ${label}`}
            </option>
          ))}
        </Choice>
      </div>
      <TextField
        label={say("line.greeting")}
        hint={say("line.greeting_hint")}
        rows={3}
        dir="auto"
        {...filled("greetingMessage")}
      />
      <TextField
        label={say("line.instructions")}
        hint={say("line.instructions_hint")}
        rows={3}
        dir="auto"
        {...filled("specialInstructions")}
      />
    </>
  );
}

/** A choice that is not offered: nothing yet, or what is there and cannot be chosen anew. */
function Kept({ id, among }: { readonly id: string; readonly among: readonly { readonly id: string }[] }) {
  const say = useTexts(TEXTS);
  if (id === "") return <option value="">{say("line.choose")}</option>;
  return among.some((each) => each.id === id) ? null : <option value={id}>{say("line.kept")}</option>;
}
