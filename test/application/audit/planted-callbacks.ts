import type { AuditRule } from "../../../application/audit/broken-rule.ts";
import type { ContactCallbackScheduled } from "../../../domain/campaign/events.ts";
import type { DomainEvent } from "../../../domain/events.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { type Instant, plusMillis } from "../../../domain/shared/instant.ts";
import type { Plant } from "./plant.ts";

const DAY_MILLIS = 86_400_000;
/** The terms of a call on which something may be agreed. */
const TERMS = { zone: "Europe/Istanbul", window: null, left: 2, maxDays: 14 };

type Agreed = {
  /** Of the call that ended first with a success. */
  readonly left?: number;
  /** In whole days after the call; null: no callback was recorded, the contact succeeded. */
  readonly due?: number | null;
  readonly changes?: Partial<ContactCallbackScheduled["data"]>;
};

/** On the call of the first contact that was reached a callback was agreed for the next day. */
export function callbackAgreed({ left = 2, due = 1, changes = {} }: Agreed = {}): Plant {
  return (log) => {
    const success = log.find((event) => event.type === "ContactSucceeded");
    if (success === undefined) throw new Error("nobody was reached");
    const { callId, at } = success.data;
    const callbackAt = plusMillis(at, DAY_MILLIS);
    const agreed = agreement(log, callId, callbackAt);
    return log.flatMap((event): readonly DomainEvent[] => {
      if (event.type === "CallRequested" && event.data.callId === callId)
        return [{ ...event, data: { ...event.data, callback: { ...TERMS, left } } }];
      if (event.type === "CallCompleted" && event.data.callId === callId)
        return [session(callId, agreed.data.at), agreed, event];
      if (event !== success || due === null) return [event];
      const { cost = 0, ...ended } = success.data;
      const data = {
        ...ended,
        cost,
        maxAttempts: ended.maxAttempts + 1,
        agreedAt: agreed.data.at,
        callbackAt: plusMillis(at, due * DAY_MILLIS),
        zone: TERMS.zone,
        ...changes,
      };
      return [{ type: "ContactCallbackScheduled", data }];
    });
  };
}

function agreement(log: readonly DomainEvent[], callId: string, callbackAt: Instant) {
  const end = log.find((event) => event.type === "CallCompleted" && event.data.callId === callId);
  if (end?.type !== "CallCompleted") throw new Error("the call has no end");
  const data = {
    callId: end.data.callId,
    at: end.data.at,
    epoch: 1,
    asked: callbackAt.slice(0, "2026-09-01T10:00".length),
    callbackAt,
    zone: TERMS.zone,
    moved: false,
    note: null,
    messageIndex: 1,
  };
  return { type: "CallCallbackAgreed", data } as const;
}

function session(callId: CallId, at: Instant): DomainEvent {
  return { type: "CallSessionBegan", data: { callId, at, epoch: 1, kind: "relay", gapMillis: null } };
}

/** Without the end of the campaign: somebody is still to be called. */
export const unfinished =
  (plant: Plant): Plant =>
  (log) =>
    plant(log).filter(({ type }) => type !== "CampaignCompleted");

/** The first dial says that its contact waited for a callback; nobody did. */
const waitedForNothing: Plant = (log) => {
  const first = log.find((event) => event.type === "ContactDialed");
  return log.map((event) =>
    event === first ? { ...first, data: { ...first.data, waitedForCallback: true as const } } : event,
  );
};

export const PLANTED_CALLBACKS: readonly (readonly [problem: string, rule: AuditRule, plant: Plant])[] = [
  ["a callback that was agreed is forgotten", "callback-as-agreed", callbackAgreed({ due: null })],
  ["a callback is due before it was agreed", "callback-as-agreed", unfinished(callbackAgreed({ due: 0 }))],
  ["a callback is due a day late", "callback-as-agreed", unfinished(callbackAgreed({ due: 2 }))],
  ["more callbacks than may be agreed", "callback-as-agreed", unfinished(callbackAgreed({ left: 0 }))],
  [
    "a callback is judged in another zone",
    "callback-as-agreed",
    unfinished(callbackAgreed({ changes: { zone: "Asia/Tokyo" } })),
  ],
  [
    "a callback uses the budget",
    "retry-within-budget",
    unfinished(callbackAgreed({ changes: { maxAttempts: 1 } })),
  ],
  ["a dial is told as a callback that nobody waited for", "callback-as-agreed", waitedForNothing],
];
