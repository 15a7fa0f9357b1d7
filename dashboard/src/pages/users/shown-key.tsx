import { useTexts } from "../../texts/language.tsx";
import { Field } from "../../ui/controls.tsx";
import { type NewKey, TEXTS } from "./texts.ts";

/** A key, shown in the only answer that has it. */
export function ShownKey({ of: { key } }: { readonly of: NewKey }) {
  const say = useTexts(TEXTS);
  if (key === null) return <p>{say("key.gone")}</p>;
  return (
    <div data-testid="shown-key">
      <Field
        label={say("key")}
        name="key"
        readOnly
        value={key}
        hint={say("key.shown")}
        onFocus={({ target }) => target.select()}
      />
    </div>
  );
}
