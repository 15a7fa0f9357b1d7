import type { CallEvent } from "../../domain/call/events.ts";
import type { ContactStatus } from "../../domain/campaign/events.ts";
import type { CallId, CampaignId, ContactId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import {
  callbackAgreed,
  callEnd,
  callRequest,
  connected,
  dialingBegan,
  message,
  ringing,
  talking,
} from "./example-events.ts";

export type Contact = {
  readonly id: ContactId;
  status: ContactStatus;
  attempts: number;
  noRetry: boolean;
  /** It waits as it agreed on its last call. */
  hasAgreed: boolean;
};
export type Campaign = {
  readonly id: CampaignId;
  readonly owner: OwnerId;
  status: "PENDING" | "RUNNING" | "PAUSED" | "CANCELLED" | "COMPLETED";
  readonly contacts: Contact[];
};
export type Dialled = { readonly campaign: Campaign; readonly contact: Contact };
export type RandomEnd = "assistant_ended" | "connection_lost" | "busy";

type Call = { readonly id: CallId; readonly owner: OwnerId; stage: number; readonly of: Dialled | null };

type Deps = {
  readonly random: (below: number) => number;
  readonly now: () => Instant;
  readonly tell: (stream: string, owner: OwnerId, event: CallEvent) => void;
  readonly onEnd: (callId: CallId, of: Dialled, endReason: RandomEnd, durationSeconds: number | null) => void;
};

const OVER = 9;
export const CALLED_BACK_AT: Instant = "2026-09-09T07:00:00.000Z";

/** Who is on this call agrees when to be called again, if it is answered. */
export function agreesCallback(callId: CallId): boolean {
  return Number(callId.slice(-1)) % 3 === 1;
}

/**
 * Calls that move one step at a time: most are answered and talk, some are busy, some lines drop; some agree
 * when to be called again.
 */
export function randomCalls({ random, now, tell, onEnd }: Deps) {
  const calls: Call[] = [];
  return { request, moveOne };

  function request(owner: OwnerId, of: Dialled | null, callId: CallId): void {
    const call: Call = { id: callId, owner, stage: 0, of };
    calls.push(call);
    const campaignId = of?.campaign.id ?? null;
    const contactId = of?.contact.id ?? null;
    const attempt = of?.contact.attempts ?? 1;
    tellCall(call, callRequest({ callId, owner, campaignId, contactId, attempt, at: now() }));
    tellCall(call, dialingBegan(callId, now()));
  }

  function moveOne(): void {
    const call = calls.length === 0 ? undefined : calls[random(calls.length)];
    if (call === undefined || call.stage === OVER) return;
    if (call.stage < 4 && random(8) === 0) end(call, call.stage >= 2 ? "connection_lost" : "busy");
    else advance(call);
  }

  function tellCall({ id, owner }: Call, event: CallEvent): void {
    tell(`call-${id}`, owner, event);
  }

  function advance(call: Call): void {
    const carrierRef = `ref-${call.id}`;
    call.stage += 1;
    if (call.stage === 1) tellCall(call, ringing(call.id, now(), carrierRef));
    else if (call.stage === 2) tellCall(call, connected(call.id, now(), carrierRef));
    else if (call.stage === 3) tellCall(call, talking(call.id, now(), carrierRef));
    else if (call.stage < 7) tellCall(call, message(call.id, now(), carrierRef, call.stage - 4));
    else if (call.stage === 7) end(call, "assistant_ended");
    else {
      call.stage = OVER;
      const data = {
        callId: call.id,
        at: now(),
        status: "available",
        recordingRef: "rec",
        carrierRef,
        sequence: 9,
      } as const;
      tellCall(call, { type: "CallRecordingAvailable", data });
    }
  }

  function end(call: Call, endReason: RandomEnd): void {
    const durationSeconds = endReason === "busy" ? null : random(90) + 0.5;
    if (durationSeconds !== null && agreesCallback(call.id)) {
      const place = { callId: call.id, at: now(), epoch: 1 };
      const agreed = call.of === null ? { callbackAt: null } : { callbackAt: CALLED_BACK_AT };
      tellCall(
        call,
        callbackAgreed(place, 0, { asked: "2026-09-09T10:00", note: `of ${call.id}`, ...agreed }),
      );
    }
    tellCall(call, callEnd(call.id, now(), endReason, durationSeconds));
    call.stage = endReason === "assistant_ended" ? 7 : OVER;
    if (call.of !== null) onEnd(call.id, call.of, endReason, durationSeconds);
  }
}
