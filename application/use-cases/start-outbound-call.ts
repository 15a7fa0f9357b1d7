import type { CallStatus } from "../../domain/call/events.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";

/** The seed's body and `squadId`, checked for shape. Ids are whatever text the caller sent. */
export type OutboundCallRequest = {
  /** The id that the Idempotency-Key row holds; null without a key. A call that stands under it already is answered as it is now. */
  readonly reservedCallId: CallId | null;
  readonly phoneNumberId: string;
  readonly assistantId: string;
  readonly squadId: string | null;
  readonly to: PhoneNumber;
  /** null: the assistant's default greeting. Taken as it is, no placeholders. */
  readonly greetingMessage: string | null;
  readonly specialInstructions: string | null;
  readonly metadata: JsonObject;
};

export type OutboundCallAnswer = { readonly callId: CallId; readonly status: CallStatus };
