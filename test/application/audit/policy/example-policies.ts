import type { CallEvent, CallRequested } from "../../../../domain/call/events.ts";
import type { ContactHeld, ImportedContact } from "../../../../domain/campaign/events.ts";
import type { DomainEvent } from "../../../../domain/events.ts";
import type { PolicyChanged } from "../../../../domain/policy/events.ts";
import type { Policy, PolicyCheck, PolicyEvidence } from "../../../../domain/policy/policy.ts";
import type { CallId } from "../../../../domain/shared/ids.ts";
import { type Instant, instantFromMillis } from "../../../../domain/shared/instant.ts";
import { ZONE_DATA } from "../../../../domain/shared/zones-of-countries.ts";
import { FAR_SIDE, REQUEST } from "../../../domain/call/example-call.ts";
import { at, campaignId, contact } from "../../../domain/campaign/example-campaign.ts";
import { startedStory } from "../example-history.ts";

/** Of everybody of the example: Istanbul. */
const OFFSET = "+03:00";
const OFFSET_MILLIS = 3 * 3_600_000;
/** The day of the example ends there. */
export const MIDNIGHT = "2026-09-01T21:00:00.000Z";

export const POLICY: Policy = {
  callableHours: { start: 9, end: 18 },
  attemptsPerNumber: { day: 2 },
  oneCallAtATime: true,
  exceptSingleCalls: false,
};

/** Two with a number of Turkey, one of the United States who lives in Istanbul. */
export const PEOPLE: readonly ImportedContact[] = [
  contact(1, { phoneNumber: "+905321234501" }),
  contact(2, { phoneNumber: "+905321234502" }),
  contact(3, { timezone: "Europe/Istanbul" }),
];

export function policyChanged(
  version: number,
  seconds: number,
  changes: Partial<Policy> = {},
): PolicyChanged {
  const policy = { ...POLICY, ...changes };
  return { type: "PolicyChanged", data: { owner: "usr_1", version, policy, at: at(seconds) } };
}

/** Of a dial that is judged at that second, the so many-th of its number today but one. */
export function judged(
  seconds: number,
  dials: number,
  changes: Partial<PolicyEvidence> = {},
): PolicyEvidence {
  const local = localTime(at(seconds));
  const checks: readonly PolicyCheck[] = [
    { rule: "oneCallAtATime", value: 0, limit: 1 },
    { rule: "attemptsPerNumber", value: dials, limit: "2/day" },
    { rule: "callableHours", value: local, limit: "09:00-18:00" },
  ];
  const zones = { country: "TR", count: 1, data: `${ZONE_DATA}/2026a`, local: [local, local] as const };
  return { policyVersion: 1, judgedAt: at(seconds), checks, zones, ...changes };
}

function localTime(instant: Instant): string {
  return instantFromMillis(Date.parse(instant) + OFFSET_MILLIS).replace("Z", OFFSET);
}

/** A call of no campaign. */
export function single(
  callId: CallId,
  to: CallRequested["data"]["to"],
  seconds: number,
  evidence: PolicyEvidence,
): readonly DomainEvent[] {
  const times = { at: at(seconds), dialAt: at(seconds), dialBy: at(seconds + 15) };
  return [
    { type: "CallRequested", data: { ...REQUEST, callId, to, ...times, evidence } },
    { type: "CallDialingBegan", data: { callId, at: at(seconds + 1), carrier: FAR_SIDE } },
  ];
}

export function ended(callId: CallId, seconds: number, endReason: "busy" | "not_placed" = "busy"): CallEvent {
  const data = { callId, at: at(seconds), endReason, error: null, durationSeconds: null, cost: 0 };
  return {
    type: "CallFailed",
    data: { ...data, endedBy: null, carrierRef: null, sequence: null, recordingStatus: "none" },
  };
}

export function held(
  number: number,
  seconds: number,
  changes: Partial<ContactHeld["data"]> = {},
): ContactHeld {
  const cap = { rule: "attemptsPerNumber", until: MIDNIGHT, heldBy: null, value: 2, limit: "2/day" } as const;
  const data = { campaignId, contactId: `ctc_${number}`, at: at(seconds), policyVersion: 1, ...cap } as const;
  return { type: "ContactHeld", data: { ...data, ...changes } };
}

/**
 * A campaign under a policy, beside single calls to two of its people. The first is dialled twice, once of
 * it by the campaign, and held until tomorrow. The second is held by a single call, and dialled after it.
 */
export function policyStory(): readonly DomainEvent[] {
  const story = startedStory(PEOPLE, { maxRetries: 1, retryIntervalMins: 1 });
  const dial = (seconds: number, number: number, call: number, dials: number, own = false): void => {
    story.dial(seconds, [number, call]);
    const evidence = judged(seconds, dials);
    const zones = own && evidence.zones !== null ? { ...evidence.zones, country: null } : evidence.zones;
    const index = story.log.findLastIndex(({ type }) => type === "ContactDialed");
    const event = story.log[index];
    if (event?.type === "ContactDialed")
      story.log[index] = {
        ...event,
        data: { ...event.data, evidence: { ...event.data.evidence, ...evidence, zones } },
      };
  };
  story.log.unshift(policyChanged(1, -60));
  dial(3, 1, 1, 0);
  dial(4, 3, 3, 0, true);
  story.log.push(...single("call_8", "+905321234502", 5, judged(5, 0)));
  story.log.push(held(2, 6, { rule: "oneCallAtATime", until: null, heldBy: "call_8", value: 1, limit: 1 }));
  story.end(1, 30, "busy").end(3, 40, "customer_ended");
  story.log.push(...single("call_9", "+905321234501", 50, judged(50, 1)), ended("call_9", 80));
  story.log.push(held(1, 91), ended("call_8", 95));
  dial(100, 2, 2, 1);
  story.end(2, 130, "customer_ended");
  return story.log;
}
