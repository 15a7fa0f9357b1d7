import { CHOICES, type DraftField } from "../../records/assistant.ts";
import { UserText } from "../../records/records.tsx";
import { useTexts } from "../../texts/language.tsx";
import { type AssistantsKey, en } from "../assistants/en.ts";
import { TEXTS } from "../assistants/texts.ts";

const isKnown = (key: string): key is AssistantsKey => key in en;

/** The value of a field, formatted for reading. */
export function Value({ field, value }: { readonly field: DraftField; readonly value: unknown }) {
  const say = useTexts(TEXTS);
  if (typeof value === "boolean") return <span>{say(value ? "yes" : "no")}</span>;
  if (value === null || value === undefined || value === "") return <span>{say("nothing")}</span>;
  const choice = `choice.${String(value)}`;
  if (CHOICES[field] !== undefined && isKnown(choice)) return <span>{say(choice)}</span>;
  return <UserText>{Array.isArray(value) ? value.join(", ") || say("nothing") : String(value)}</UserText>;
}
