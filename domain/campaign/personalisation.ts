import type { JsonObject } from "../shared/json.ts";
import { utf8Length } from "../shared/utf8.ts";
import { filledBytes, fillTemplate, readTemplate, type TextTemplate } from "./text-template.ts";

/** How long what is said may be once it is filled, in bytes of UTF-8 (interface.md §5); exactly so many pass. */
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

/**
 * The texts of one call (interface.md §5). The seed's filling first: the contact's name fills `{{name}}` of the greeting, customData the special
 * instructions. Since rule 2 customData also fills the greeting, the name the instructions, and both the voicemail message, as far as there is room.
 */
export function personalTexts(
  texts: CampaignTexts,
  { name, customData }: TextValues,
  limits = { greeting: GREETING_BYTES, instructions: INSTRUCTIONS_BYTES },
): PersonalTexts {
  const more = texts.placeholders === 2;
  const greeting = fillTemplate(
    readTemplate(greetingInEffect(texts)),
    { name },
    more ? [customData] : [],
    limits.greeting,
  );
  if (greeting === null) return { tooLong: { name: "greetingMessage", limit: limits.greeting } };
  const { specialInstructions, voicemailMessage } = texts;
  const instructions =
    specialInstructions === null
      ? UNSAID
      : fillTemplate(
          readTemplate(specialInstructions),
          customData,
          more ? [{ name }] : [],
          limits.instructions,
        );
  if (instructions === null) return { tooLong: { name: "specialInstructions", limit: limits.instructions } };
  const voicemail =
    voicemailMessage !== null && more
      ? filledVoicemail(readTemplate(voicemailMessage), { name }, customData)
      : { text: voicemailMessage, leftOut: 0 };
  return {
    tooLong: null,
    greetingMessage: greeting.text,
    specialInstructions: instructions.text,
    voicemailMessage: voicemail.text,
    leftOut: greeting.leftOut + instructions.leftOut + voicemail.leftOut,
  };
}

const UNSAID = { text: null, leftOut: 0 };

/** Nothing of it is the seed's filling: it never keeps a contact from being called. */
function filledVoicemail(template: TextTemplate, name: JsonObject, customData: JsonObject) {
  const limit = Math.max(GREETING_BYTES, template.literalBytes);
  return fillTemplate(template, {}, [name, customData], limit) ?? UNSAID;
}

/** Says of each contact whether the seed's filling of the texts stays within the limits. The texts are read once for all of them. */
export function createTextCheck(
  texts: Omit<CampaignTexts, "voicemailMessage">,
): (contact: TextValues) => boolean {
  const greeting = readTemplate(greetingInEffect(texts));
  const instructions = readTemplate(texts.specialInstructions ?? "");
  return ({ name, customData }) =>
    filledBytes(greeting, { name }, GREETING_BYTES) !== null &&
    filledBytes(instructions, customData, INSTRUCTIONS_BYTES) !== null;
}

/** A single call has no contact whose values could fill the assistant's own texts. */
export function withoutPlaceholders(text: string): string {
  return fillTemplate(readTemplate(text), {}, [], utf8Length(text))?.text ?? text;
}

function greetingInEffect({ greetingMessage, assistant }: Omit<CampaignTexts, "voicemailMessage">): string {
  return greetingMessage ?? assistant.greetingMessage;
}
