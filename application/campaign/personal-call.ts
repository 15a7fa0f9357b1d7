import type { CampaignPins } from "../../domain/campaign/state.ts";
import {
  type LongText,
  personalTexts,
  type TextValues,
} from "../../domain/campaign/texts/personalisation.ts";
import type { ConnectionId } from "../../domain/shared/ids.ts";
import type { PinnedCall } from "../call/pinning/call-request.ts";

export const NO_TEXTS = { greetingMessage: "", specialInstructions: null, voicemailMessage: null };

/**
 * What is known when the call is made: what its number calls through, and the key of its conversation
 * (null: there is none).
 */
type CallPins = { readonly connectionId: ConnectionId | null; readonly pinned: string | null };

/**
 * What a campaign says to one contact. `tooLong`: a text that passes its limit when it is filled;
 * then the call has none.
 */
export function personalCall(
  pins: CampaignPins,
  { connectionId, pinned }: CallPins,
  values: TextValues,
): { readonly call: PinnedCall; readonly tooLong: LongText | null } {
  const { tooLong, ...texts } = personalTexts(pins, values);
  const { greetingMessage, specialInstructions, voicemailMessage } = { ...NO_TEXTS, ...texts };
  const call = {
    from: pins.from,
    phoneNumberId: pins.phoneNumberId,
    connectionId,
    assistant: pins.assistant,
    squad: pins.squad,
    greetingMessage,
    specialInstructions,
    metadata: pins.metadata,
    voicemailPolicy: pins.voicemailPolicy,
    voicemailMessage,
    ringTimeoutSeconds: pins.ringTimeoutSeconds,
    maxDurationSeconds: pins.maxDurationSeconds,
    ...(pinned === null ? {} : { pinned }),
  };
  return { call, tooLong };
}
