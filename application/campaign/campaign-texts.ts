import type { CampaignTexts } from "../../domain/campaign/personalisation.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import { pinAssistant } from "../call/pin-configuration.ts";
import type { Directory } from "../ports/directory.ts";

type Templates = Pick<CampaignTexts, "greetingMessage" | "specialInstructions">;
type AssistantTexts = Pick<CampaignTexts, "assistant" | "voicemailMessage">;

/** What a campaign that is made now says; its texts are filled by rule 2. */
export function textsOf(
  { greetingMessage, specialInstructions }: Templates,
  { assistant, voicemailMessage }: AssistantTexts,
): CampaignTexts {
  return { greetingMessage, specialInstructions, assistant, voicemailMessage, placeholders: 2 };
}

/** Where there is none (yet), it says nothing. */
export const NO_ASSISTANT: AssistantTexts = { assistant: { greetingMessage: "" }, voicemailMessage: null };

/** What the published version of the assistant says by itself. */
export async function assistantTexts(directory: Directory, owner: OwnerId, assistantId: string) {
  const pinned = await pinAssistant(directory, owner, assistantId);
  if (!pinned.ok) return pinned;
  const value: AssistantTexts = { assistant: pinned.value, voicemailMessage: pinned.value.voicemailMessage };
  return { ok: true as const, value };
}
