import type { JsonObject } from "../../shared/json.ts";
import { utf8Length } from "../../shared/utf8.ts";
import {
  filledBytes,
  fillTemplate,
  type PlaceholderRule,
  readTemplate,
  type TextTemplate,
} from "./text-template.ts";

/** The most bytes (UTF-8) of each text once it is filled (docs/api.md §5); exactly so many are allowed. */
export const GREETING_BYTES = 4 * 1024;
export const INSTRUCTIONS_BYTES = 32 * 1024;

/**
 * The texts that a campaign pinned. `placeholders`: the rule by which they are filled; absent: 1.
 */
export type CampaignTexts = {
  /** null: the assistant's default greeting. */
  readonly greetingMessage: string | null;
  readonly specialInstructions: string | null;
  readonly voicemailMessage: string | null;
  readonly assistant: { readonly greetingMessage: string };
  readonly placeholders?: 2 | 3;
};

export type TextValues = { readonly name: string | null; readonly customData: JsonObject };

export type LongText = { readonly name: "greetingMessage" | "specialInstructions"; readonly limit: number };

/** The texts of one call; `tooLong`: the first text that exceeds its limit. */
export type PersonalTexts =
  | {
      readonly tooLong: null;
      readonly greetingMessage: string;
      readonly specialInstructions: string | null;
      readonly voicemailMessage: string | null;
      /** Placeholders left empty because their additional value did not fit. */
      readonly leftOut: number;
    }
  | { readonly tooLong: LongText };

/**
 * One parsed text, with the values that fill it for a contact: first the seed's values, then additional ones
 * for the rest, as far as they fit.
 */
export type SaidText = {
  readonly template: TextTemplate;
  readonly limit: number;
  readonly values: (contact: TextValues) => readonly [seed: JsonObject, ...more: JsonObject[]];
};

/**
 * The texts of one call (docs/api.md §5). The seed's filling comes first: the contact's name fills `{{name}}`
 * of the greeting, customData fills the special instructions. Since rule 2, customData also fills the
 * greeting, the name the instructions, and both fill the voicemail message, as far as they fit.
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

/** null: the seed's values alone exceed the limit. */
function filled(said: SaidText | null, contact: TextValues): { text: string | null; leftOut: number } | null {
  if (said === null) return UNSAID;
  const [seed, ...more] = said.values(contact);
  return fillTemplate(said.template, seed, more, said.limit);
}

export function greetingText(
  { greetingMessage, assistant, placeholders }: Omit<CampaignTexts, "voicemailMessage">,
  limit = GREETING_BYTES,
): SaidText {
  const rule = placeholders ?? 1;
  return {
    template: readTemplate(greetingMessage ?? assistant.greetingMessage, rule),
    limit,
    values: (contact) => {
      const name = nameIn(contact, rule);
      return rule > 1 ? [{ name }, contact.customData] : [{ name }];
    },
  };
}

/** null: there are none. */
export function instructionsText(
  { specialInstructions, placeholders }: Omit<CampaignTexts, "voicemailMessage">,
  limit = INSTRUCTIONS_BYTES,
): SaidText | null {
  if (specialInstructions === null) return null;
  const rule = placeholders ?? 1;
  return {
    template: readTemplate(specialInstructions, rule),
    limit,
    values: (contact) =>
      rule > 1 ? [contact.customData, { name: nameIn(contact, rule) }, UNFILLED] : [contact.customData],
  };
}

/** The note of the call before stands in no event: the conversation fills it in, from where it is kept. */
const UNFILLED: JsonObject = { callback_note: "{{callback_note}}" };

/**
 * It has only additional filling, so it never prevents a call. null: there is no message, or
 * it needs no filling.
 */
export function voicemailText({ voicemailMessage, placeholders }: CampaignTexts): SaidText | null {
  if (voicemailMessage === null || placeholders === undefined) return null;
  const template = readTemplate(voicemailMessage, placeholders);
  const limit = Math.max(GREETING_BYTES, template.literalBytes);
  return {
    template,
    limit,
    values: (contact) => [{}, { name: nameIn(contact, placeholders) }, contact.customData],
  };
}

/** null: there is none; since rule 3 also one of blanks. */
function nameIn({ name }: TextValues, rule: PlaceholderRule): string | null {
  return rule > 2 && name?.trim() === "" ? null : name;
}

/**
 * Checks for each contact whether the seed's filling stays within the limits. The texts are parsed
 * once for all contacts.
 */
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
