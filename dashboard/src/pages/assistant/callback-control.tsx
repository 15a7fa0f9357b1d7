import { useState } from "react";
import type { AssistantDraft } from "../../records/assistant.ts";
import { useTexts } from "../../texts/language.tsx";
import { Check, Field } from "../../ui/controls.tsx";
import layout from "../../ui/layout.module.css";
import { TEXTS } from "../assistants/texts.ts";

export type Callback = AssistantDraft["callback"];

/** As the contract has them where nobody says otherwise. */
const PROPOSED = { maxDays: 14, maxPerContact: 2 };

type CallbackControlProps = {
  readonly value: Callback;
  /** Why the service refused a control, by its name. */
  readonly faultOf: (name: string) => string | undefined;
};

/** Whether whoever is called may agree to another time; its limits only where they may. */
export function CallbackControl({ value, faultOf }: CallbackControlProps) {
  const say = useTexts(TEXTS);
  const [isOn, setOn] = useState(value !== null);
  const limits = value ?? PROPOSED;
  const limit = (name: keyof typeof PROPOSED, max: number) => (
    <Field
      label={say(`callback.${name}`)}
      name={`callback.${name}`}
      type="number"
      min={1}
      max={max}
      step="any"
      required
      defaultValue={limits[name]}
      fault={faultOf(`callback.${name}`)}
    />
  );
  return (
    <fieldset className={layout.group}>
      <legend>{say("field.callback")}</legend>
      <Check
        label={say("callback.on")}
        name="callback"
        checked={isOn}
        onChange={({ target }) => setOn(target.checked)}
      />
      {isOn ? (
        <>
          {limit("maxDays", 60)}
          {limit("maxPerContact", 5)}
        </>
      ) : null}
    </fieldset>
  );
}

/** For reading. */
export function CallbackShown({ of }: { readonly of: Callback | undefined }) {
  const say = useTexts(TEXTS);
  if (of === null || of === undefined) return say("nothing");
  return say("callback.shown", { days: of.maxDays, count: of.maxPerContact });
}
