import {
  type CampaignTexts,
  personalTexts,
  type TextValues,
} from "../../domain/campaign/texts/personalisation.ts";
import { createPlaceholderCheck } from "../../domain/campaign/texts/placeholder-check.ts";
import { placeholderWarnings } from "../../domain/campaign/warnings/placeholder-warnings.ts";
import type { CampaignWarning } from "../../domain/campaign/warnings/warning.ts";
import type { Caller, Refusal } from "../outcome.ts";
import type { UseCaseDeps } from "../use-case-deps.ts";
import { assistantTexts, NO_ASSISTANT, textsOf } from "./campaign-texts.ts";

export type PreviewRequest = {
  /** Templates; null greeting: the default of the assistant, if one is named. */
  readonly greetingMessage: string | null;
  readonly specialInstructions: string | null;
  readonly assistantId: string | null;
  readonly contacts: readonly TextValues[];
};

export type PreviewItem = {
  readonly greetingMessage: string | null;
  readonly specialInstructions: string | null;
  /** Then both texts are null: the contact would be rejected. */
  readonly reason?: "text_too_long";
};

export type Preview = {
  readonly items: readonly PreviewItem[];
  readonly warnings: readonly CampaignWarning[];
};

/** POST /campaigns/preview: the texts for each contact. Stores nothing. */
export async function previewTexts(
  { directory }: Pick<UseCaseDeps, "directory">,
  { owner }: Caller,
  { assistantId, contacts, ...templates }: PreviewRequest,
): Promise<
  { readonly ok: true; readonly value: Preview } | { readonly ok: false; readonly refusal: Refusal }
> {
  const pinned = assistantId === null ? null : await assistantTexts(directory, owner, assistantId);
  if (pinned?.ok === false) return pinned;
  const texts = textsOf(templates, pinned?.value ?? NO_ASSISTANT);
  const hasGreeting = templates.greetingMessage !== null || pinned !== null;
  const check = createPlaceholderCheck(texts);
  const items = contacts.map((contact) => {
    const item = previewItem(texts, contact, hasGreeting);
    if (item.reason === undefined) check.look(contact);
    return item;
  });
  return { ok: true, value: { items, warnings: placeholderWarnings(check.found()) } };
}

function previewItem(texts: CampaignTexts, contact: TextValues, hasGreeting: boolean): PreviewItem {
  const said = personalTexts(texts, contact);
  if (said.tooLong !== null)
    return { greetingMessage: null, specialInstructions: null, reason: "text_too_long" };
  const greetingMessage = hasGreeting ? said.greetingMessage : null;
  return { greetingMessage, specialInstructions: said.specialInstructions };
}
