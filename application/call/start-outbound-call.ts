import { withoutPlaceholders } from "../../domain/campaign/texts/personalisation.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import type { Caller, Outcome } from "../outcome.ts";
import { DEFAULT_RING_TIMEOUT_SECONDS } from "../settings.ts";
import type { PinnedCall } from "./pinning/call-request.ts";
import type { Pinned } from "./pinning/pin-configuration.ts";
import { pinLine } from "./pinning/pin-line.ts";
import {
  placeSingleCall,
  type SingleCallAnswer,
  type SingleCallDeps,
  type SingleCallRequest,
} from "./single-call.ts";

/** The seed's body with `squadId`, checked for shape. Ids are any text that the caller sent. */
export type OutboundCallRequest = SingleCallRequest & {
  readonly phoneNumberId: string;
  readonly assistantId: string;
  readonly squadId: string | null;
  /** Spoken as it is. null: the assistant's default greeting, without its placeholders. */
  readonly greetingMessage: string | null;
  readonly specialInstructions: string | null;
  readonly metadata: JsonObject;
};

/** POST /calls/outbound. */
export function startOutboundCall(
  deps: SingleCallDeps,
  caller: Caller,
  request: OutboundCallRequest,
): Promise<Outcome<SingleCallAnswer>> {
  return placeSingleCall(deps, caller, request, () => pinCall(deps, caller, request));
}

async function pinCall(
  deps: SingleCallDeps,
  { owner }: Caller,
  request: OutboundCallRequest,
): Promise<Pinned<PinnedCall>> {
  const line = await pinLine(deps, owner, request);
  if (!line.ok) return line;
  const { assistant, voicemailMessage } = line.value;
  return {
    ok: true,
    value: {
      ...line.value,
      greetingMessage: request.greetingMessage ?? withoutPlaceholders(assistant.greetingMessage),
      specialInstructions: request.specialInstructions,
      metadata: request.metadata,
      voicemailMessage: voicemailMessage === null ? null : withoutPlaceholders(voicemailMessage),
      ringTimeoutSeconds: DEFAULT_RING_TIMEOUT_SECONDS,
    },
  };
}
