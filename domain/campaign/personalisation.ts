import type { JsonObject } from "../shared/json.ts";
import { utf8Length } from "../shared/utf8.ts";
import { filledBytes, fillTemplate, readTemplate, type TextTemplate } from "./text-template.ts";

/** How long what is said may be once it is filled, in bytes of UTF-8 (docs/api.md §5); exactly so many pass. */
export const GREETING_BYTES = 4 * 1024;
export const INSTRUCTIONS_BYTES = 32 * 1024;

/** What a campaign says, as it pinned it. Without `placeholders` it was made before people's other values filled the texts. */
export type CampaignTexts = {
  /** null: the assistant's default greeting. */
  readonly greetingMessage: string | null;
  readonly specialInstructions: string | null;
  readonly voicemailMessage: string | null;
  readonly assistant: { readonly greetingMessage: string };
  readonly placeholders?: 2;
};

export type TextValues = { readonly name: string | null; readonly customData: JsonObject };

export type LongText = { readonly name: "greetingMessage" | "specialInstructions"; readonly limit: number };

/** What is said in one call; `tooLong`: the first text that passes its limit. */
export type PersonalTexts =
  | {
      readonly tooLong: null;
      readonly greetingMessage: string;
      readonly specialInstructions: string | null;
      readonly voicemailMessage: string | null;
      /** Placeholders that stayed empty because their additional value had no room. */
      readonly leftOut: number;
    }
  | { readonly tooLong: LongText };

/** One of the texts, read, with what fills it for a contact: the seed's values first, then those that only fill what is left, as far as there is room. */
export type SaidText = {
  readonly template: TextTemplate;
  readonly limit: number;
  readonly values: (contact: TextValues) => readonly [seed: JsonObject, ...more: JsonObject[]];
};

/**
 * The texts of one call (docs/api.md §5). The seed's filling first: the contact's name fills `{{name}}` of the greeting, customData the special
 * instructions. Since rule 2 customData also fills the greeting, the name the instructions, and both the voicemail message, as far as there is room.
 */
export function personalTexts(
  texts: CampaignTexts,
  contact: TextValues,
  limits = { greeting: GREETING_BYTES, instructions: INSTRUCTIONS_BYTES },
): PersonalTexts {
  const greeting = filled(greetingText(texts, limits.greeting), contact);
  if (greeting === null) return { tooLong: { name: "greetingMessage", limit: limits.greeting } };
  const instructions = filled(instructionsText(texts, limits.instructions), contact);
  if (instructions === null) return { tooLong: { name: "specialInstructions", limit: limits.instructions } };
  const message = voicemailText(texts);
  const voicemail =
    message === null ? { text: texts.voicemailMessage, leftOut: 0 } : (filled(message, contact) ?? UNSAID);
  return {
    tooLong: null,
    greetingMessage: greeting.text ?? "",
    specialInstructions: instructions.text,
    voicemailMessage: voicemail.text,
    leftOut: greeting.leftOut + instructions.leftOut + voicemail.leftOut,
  };
}

const UNSAID = { text: null, leftOut: 0 };

/** null: the seed's values alone pass the limit. */
function filled(said: SaidText | null, contact: TextValues): { text: string | null; leftOut: number } | null {
  if (said === null) return UNSAID;
  const [seed, ...more] = said.values(contact);
  return fillTemplate(said.template, seed, more, said.limit);
}

export function greetingText(
  texts: Omit<CampaignTexts, "voicemailMessage">,
  limit = GREETING_BYTES,
): SaidText {
  return {
    template: readTemplate(texts.greetingMessage ?? texts.assistant.greetingMessage),
    limit,
    values: ({ name, customData }) => (texts.placeholders === 2 ? [{ name }, customData] : [{ name }]),
  };
}

/** null: there are none. */
export function instructionsText(
  { specialInstructions, placeholders }: Omit<CampaignTexts, "voicemailMessage">,
  limit = INSTRUCTIONS_BYTES,
): SaidText | null {
  if (specialInstructions === null) return null;
  return {
    template: readTemplate(specialInstructions),
    limit,
    values: ({ name, customData }) => (placeholders === 2 ? [customData, { name }] : [customData]),
  };
}

/** Nothing of it is the seed's filling: it never keeps a contact from being called. null: there is none, or it is said as it stands. */
export function voicemailText({ voicemailMessage, placeholders }: CampaignTexts): SaidText | null {
  if (voicemailMessage === null || placeholders !== 2) return null;
  const template = readTemplate(voicemailMessage);
  const limit = Math.max(GREETING_BYTES, template.literalBytes);
  return { template, limit, values: ({ name, customData }) => [{}, { name }, customData] };
}

/** Says of each contact whether the seed's filling of the texts stays within the limits. The texts are read once for all of them. */
export function createTextCheck(
  texts: Omit<CampaignTexts, "voicemailMessage">,
): (contact: TextValues) => boolean {
  const said = [greetingText(texts), instructionsText(texts)].filter((text) => text !== null);
  return (contact) =>
    said.every(({ template, limit, values }) => filledBytes(template, values(contact)[0], limit) !== null);
}

/** A single call has no contact whose values could fill the assistant's own texts. */
export function withoutPlaceholders(text: string): string {
  return fillTemplate(readTemplate(text), {}, [], utf8Length(text))?.text ?? text;
}
