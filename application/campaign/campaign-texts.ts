import type { CampaignRequest } from "../../contract/campaign-settings.ts";
import type { CampaignTexts } from "../../domain/campaign/texts/personalisation.ts";
import { CURRENT_RULE } from "../../domain/campaign/texts/text-template.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import { pinAssistant } from "../call/pinning/pin-configuration.ts";
import type { Directory } from "../ports/directory.ts";

/** As given; null or absent: none. */
type Templates = Pick<CampaignRequest, "greetingMessage" | "specialInstructions">;
type AssistantTexts = Pick<CampaignTexts, "assistant" | "voicemailMessage">;

/** The texts of a new campaign; they are filled by the current rule. */
export function textsOf(
  { greetingMessage = null, specialInstructions = null }: Templates,
  { assistant, voicemailMessage }: AssistantTexts,
): CampaignTexts {
  return { greetingMessage, specialInstructions, assistant, voicemailMessage, placeholders: CURRENT_RULE };
}

/** Without an assistant there are no texts of its own. */
export const NO_ASSISTANT: AssistantTexts = { assistant: { greetingMessage: "" }, voicemailMessage: null };

/** The texts of the assistant's published version. */
export async function assistantTexts(directory: Directory, owner: OwnerId, assistantId: string) {
  const pinned = await pinAssistant(directory, owner, assistantId);
  if (!pinned.ok) return pinned;
  const value: AssistantTexts = { assistant: pinned.value, voicemailMessage: pinned.value.voicemailMessage };
  return { ok: true as const, value };
}
