import type { PinnedSquad } from "../../domain/call/events.ts";
import { withoutPlaceholders } from "../../domain/campaign/personalisation.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import type { Caller, Outcome } from "../outcome.ts";
import { DEFAULT_RING_TIMEOUT_SECONDS } from "../settings.ts";
import { squadToPin } from "../squad/squad-to-pin.ts";
import { type Pinned, pinAssistant, pinnedAssistant, pinPhoneNumber, pinSquad } from "./pin-configuration.ts";
import {
  placeSingleCall,
  type SingleCall,
  type SingleCallAnswer,
  type SingleCallDeps,
  type SingleCallRequest,
} from "./single-call.ts";

/** The seed's body and `squadId`, checked for shape. Ids are whatever text the caller sent. */
export type OutboundCallRequest = SingleCallRequest & {
  readonly phoneNumberId: string;
  readonly assistantId: string;
  readonly squadId: string | null;
  /** Taken as it is. null: the assistant's default greeting, without its placeholders. */
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
): Promise<Pinned<SingleCall>> {
  const { directory } = deps;
  const assistant = await pinAssistant(directory, owner, request.assistantId);
  if (!assistant.ok) return assistant;
  const from = await pinPhoneNumber(directory, owner, request.phoneNumberId);
  if (!from.ok) return from;
  let squad: PinnedSquad | null = null;
  if (request.squadId !== null) {
    const found = await squadToPin(deps.aggregates.squads, owner, request.squadId);
    const pinned = await pinSquad(directory, owner, found, assistant.value);
    if (!pinned.ok) return pinned;
    squad = pinned.value;
  }
  const { greetingMessage, voicemailPolicy, voicemailMessage, maxDurationSeconds } = assistant.value;
  return {
    ok: true,
    value: {
      from: from.value.phoneNumber,
      phoneNumberId: from.value.phoneNumberId,
      assistant: pinnedAssistant(assistant.value),
      squad,
      greetingMessage: request.greetingMessage ?? withoutPlaceholders(greetingMessage),
      specialInstructions: request.specialInstructions,
      metadata: request.metadata,
      voicemailPolicy,
      voicemailMessage: voicemailMessage === null ? null : withoutPlaceholders(voicemailMessage),
      ringTimeoutSeconds: DEFAULT_RING_TIMEOUT_SECONDS,
      maxDurationSeconds,
    },
  };
}
