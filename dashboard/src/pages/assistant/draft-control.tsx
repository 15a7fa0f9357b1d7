import { type AssistantDraft, CHOICES, type DraftField, type fieldsOf } from "../../records/assistant.ts";
import { ConnectionChoice } from "../../records/connection.tsx";
import { Muted } from "../../records/records.tsx";
import { useAllowed } from "../../records/use-allowed.ts";
import { ALL, useList } from "../../records/use-list.ts";
import { useTexts } from "../../texts/language.tsx";
import { Check, Choice, Field, TextField } from "../../ui/controls.tsx";
import { type AssistantsKey, en } from "../assistants/en.ts";
import { TEXTS } from "../assistants/texts.ts";
import { type Callback, CallbackControl } from "./callback-control.tsx";

const MODELS = ["model"] as const;
type Shown = ReturnType<typeof fieldsOf>[number] & {
  readonly value: AssistantDraft[DraftField];
  /** Why the service refused a control, by its name. */
  readonly faultOf: (name: string) => string | undefined;
};
const isKnown = (key: string): key is AssistantsKey => key in en;

/** One field of the draft, with the API's name. */
export function DraftControl({ name, kind, isRequired: required, value, faultOf }: Shown) {
  const say = useTexts(TEXTS);
  const label = say(`field.${name}`);
  const text = value === null || value === undefined ? "" : String(value);
  const fault = faultOf(name);
  if (kind === "callback") return <CallbackControl value={callbackOf(value)} faultOf={faultOf} />;
  if (kind === "tools") return <Tools name={name} label={label} value={value} />;
  if (kind === "connection")
    return <ConnectionChoice label={label} name={name} kinds={MODELS} value={text} />;
  if (kind === "check") return <Check label={label} name={name} defaultChecked={value === true} />;
  if (kind === "long")
    return (
      <TextField
        label={label}
        name={name}
        fault={fault}
        defaultValue={text}
        required={required}
        dir="auto"
        rows={name === "systemPrompt" ? 14 : 3}
      />
    );
  if (kind === "choice")
    return (
      <Choice label={label} name={name} fault={fault} defaultValue={text}>
        {[...(required ? [] : [""]), ...(CHOICES[name] ?? [])].map((choice) => {
          const key = `choice.${choice}`;
          return (
            <option key={key} value={String(choice)}>
              {isKnown(key) ? say(key) : String(choice)}
            </option>
          );
        })}
      </Choice>
    );
  const number = kind === "number" ? ({ type: "number", step: "any" } as const) : { dir: "auto" as const };
  return (
    <Field label={label} name={name} fault={fault} defaultValue={text} required={required} {...number} />
  );
}

const callbackOf = (value: Shown["value"]): Callback =>
  typeof value === "object" && value !== null && "maxDays" in value ? value : null;

function Tools({ name, label, value }: Pick<Shown, "name" | "value"> & { readonly label: string }) {
  const say = useTexts(TEXTS);
  const enabled = useAllowed()("tools:read");
  const { rows } = useList("/api/v1/tools", { query: ALL, enabled });
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [];
  const unseen = chosen.map(String).filter((id) => !rows.some((row) => row.id === id));
  const all: readonly { readonly id: string; readonly name: string }[] = [
    ...rows,
    ...unseen.map((id) => ({ id, name: id })),
  ];
  return (
    <fieldset style={{ border: "1px solid var(--line)", borderRadius: 8, display: "grid", gap: 6 }}>
      <legend>{label}</legend>
      {all.length === 0 ? <Muted>{say("no.tools")}</Muted> : null}
      {all.map((tool) => (
        <Check
          key={tool.id}
          name={name}
          value={tool.id}
          defaultChecked={chosen.includes(tool.id)}
          label={
            <span data-user-text="" dir="auto">
              {tool.name}
            </span>
          }
        />
      ))}
    </fieldset>
  );
}
