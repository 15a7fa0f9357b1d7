import { isCallEnd } from "../../domain/call/end-reason.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import type { Observer } from "./observer.ts";
import type { Shared } from "./shared-world.ts";
import { OWNER } from "./simulated-names.ts";

/**
 * I6 and I9: every end and every answer is announced once, the answer first; the balance is the sum of the
 * ledger, and every call is charged once.
 */
export function judgeMoneyAndWebhooks(shared: Shared, observer: Observer): readonly string[] {
  const costs = new Map<CallId, number>();
  const answered = new Set<CallId>();
  for (const { event } of observer.events) {
    if (isCallEnd(event)) {
      costs.set(event.data.callId, event.data.cost);
    }
    if (event.type === "CallConnected") answered.add(event.data.callId);
  }
  return [...judgeLedger(shared, costs), ...judgeWebhooks(shared, costs, answered)];
}

function judgeLedger({ admission }: Shared, costs: ReadonlyMap<CallId, number>): readonly string[] {
  const problems: string[] = [];
  const charged = new Map<CallId, number>();
  let balance = 0;
  let reserved = 0;
  for (const { cause, amount, callId, ...after } of admission.ledger(OWNER)) {
    if (cause === "top_up") balance += amount;
    if (cause === "charge") balance -= amount;
    if (cause === "reserve") reserved += amount;
    if (cause === "release") reserved -= amount;
    if (after.balance !== balance || after.reserved !== reserved)
      problems.push(`the ledger does not add up at ${cause} of ${callId}`);
    if (cause === "charge" && callId !== null) charged.set(callId, (charged.get(callId) ?? 0) + amount);
  }
  if (reserved !== 0) problems.push(`${reserved} units stay reserved`);
  for (const [callId, cost] of costs) {
    if ((charged.get(callId) ?? 0) !== cost)
      problems.push(`${callId} cost ${cost}, charged ${charged.get(callId) ?? 0}`);
  }
  if (admission.openSlots().length > 0) problems.push(`${admission.openSlots().length} slots are not free`);
  return problems;
}

function judgeWebhooks(
  { outbox }: Shared,
  costs: ReadonlyMap<CallId, number>,
  answered: ReadonlySet<CallId>,
): readonly string[] {
  const problems: string[] = [];
  const started = new Set<CallId>();
  const ended = new Set<CallId>();
  const analysed = new Set<CallId>();
  for (const { entry } of outbox.deliveries.values()) {
    const { kind, callId } = entry;
    if (callId === null || kind === "number.suppressed") continue;
    if (kind === "call.analyzed" && !ended.has(callId))
      problems.push(`call.analyzed of ${callId} was queued before its end`);
    const announced = kind === "call.started" ? started : kind === "call.analyzed" ? analysed : ended;
    if (announced.has(callId)) problems.push(`${kind} of ${callId} was queued twice`);
    if (kind === "call.started" && ended.has(callId)) {
      problems.push(`call.started of ${callId} was queued after its end`);
    }
    announced.add(callId);
  }
  for (const callId of costs.keys())
    if (!ended.has(callId)) problems.push(`call.ended of ${callId} was never queued`);
  for (const callId of answered)
    if (!started.has(callId)) problems.push(`call.started of ${callId} was never queued`);
  for (const callId of started)
    if (!answered.has(callId)) problems.push(`call.started of ${callId}, which nobody answered`);
  return problems;
}
