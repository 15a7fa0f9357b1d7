import type { CallEvent } from "../../domain/call/events.ts";
import type { CampaignEvent } from "../../domain/campaign/events.ts";
import { isCallEvent } from "../../domain/event-kinds.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { type Instant, plusMillis } from "../../domain/shared/instant.ts";
import { CAMPAIGN_KINDS, WEBHOOK_KINDS } from "../../domain/webhook/kinds.ts";
import type { GivenUp } from "../given-up.ts";
import { oneAtATime } from "../one-at-a-time.ts";
import type { Clock } from "../ports/clock.ts";
import type { RecordedEvent } from "../ports/event-codec.ts";
import type { Ids } from "../ports/ids.ts";
import type { OutboxEntry, PendingEnd, WebhookOutbox } from "../ports/webhook-outbox.ts";
import { createRecentMap, type RecentMap } from "../recent-map.ts";
import { isRefusedForGood } from "../refused-for-good.ts";
import type { CallFacts } from "./call-facts.ts";
import { type CampaignEntryDeps, campaignEntry, tellableChange } from "./campaign-entry.ts";
import type { KnownCalls } from "./known-calls.ts";
import { OUTCOME_WAIT_MILLIS, waitsOfEnd } from "./waits-of-an-end.ts";
import {
  type AttemptOutcome,
  analyzedEntries,
  endedEntry,
  isAttemptEnd,
  outcomeFrom,
  SINGLE_CALL_OUTCOME,
  startedEntry,
} from "./webhook-body.ts";

const KEPT_OUTCOMES = 10_000;
const DUE_ENDS_AT_ONCE = 200;

/** Event types that it needs: those of the call kinds, and those that campaign kinds announce. */
export const PUBLISHED_TYPES: readonly (CallEvent | CampaignEvent)["type"][] = [
  "CallRequested",
  "CallDialingBegan",
  "CallConnected",
  "CallMessageAdded",
  "CallSpeechCut",
  "CallToolBegan",
  "CallToolEnded",
  "CallHandedOver",
  "CallDigitsReceived",
  "CallOptedOut",
  "CallCallbackAgreed",
  "CallMachineJudged",
  "CallSessionBegan",
  "CallSessionEnded",
  "CallCompleted",
  "CallFailed",
  "CallRecordingAvailable",
  "CallAnalysisRequested",
  "CallAnalysed",
  "CallAnalysisFailed",
  "CallContentErased",
  "ContactSucceeded",
  "ContactCallbackScheduled",
  "ContactAttemptFailed",
  ...CAMPAIGN_KINDS.map((kind) => WEBHOOK_KINDS[kind].tells),
];

export type WebhookPublishingDeps = CampaignEntryDeps & {
  readonly outbox: WebhookOutbox;
  readonly knownCalls: KnownCalls;
  /** The campaign's decision after this call, from its folded state; null: nothing yet. */
  readonly outcomeInCampaign: (facts: CallFacts) => Promise<AttemptOutcome | null>;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly publicUrl: () => string;
  readonly givenUp: GivenUp;
  /** Called when ends have to wait, with the first time at which one is due. */
  readonly onDeferred: (due: Instant) => void;
};

export type WebhookPublishing = {
  /** Queues the webhooks of these events. The same events again change nothing. */
  readonly publish: (events: readonly RecordedEvent[]) => Promise<void>;
  /**
   * Sends the ends whose wait is over with what is known, and drops those that the log does not know; returns
   * when to look again (null: nothing waits).
   */
  readonly publishDueEnds: () => Promise<Instant | null>;
};

export function createWebhookPublishing(given: WebhookPublishingDeps): WebhookPublishing {
  const outcomes = createRecentMap<CallId, AttemptOutcome>(KEPT_OUTCOMES);
  // An analysis that finds its end waiting is told with it: so none is sent while that is looked at.
  const inTurn = oneAtATime<"ends">();
  return {
    publish: async (events) => {
      const deps = askedOnce(given);
      const out: Outgoing = { entries: [], ends: [], erased: [] };
      for (const recorded of events) await collect(deps, outcomes, recorded, out);
      await enqueue(deps, out);
      const analysed = events.filter(({ event }) => ANALYSES.has(event.type));
      if (analysed.length > 0) await inTurn("ends", () => publishAnalyses(deps, outcomes, analysed));
    },
    publishDueEnds: () => inTurn("ends", () => publishDueEnds(askedOnce(given), outcomes)),
  };
}

/** What an endpoint takes is asked once for all events that come together. */
function askedOnce(deps: WebhookPublishingDeps): WebhookPublishingDeps {
  const asked = new Map<string, Promise<boolean>>();
  const takes: WebhookOutbox["takes"] = (owner, kind) => {
    const known = asked.get(`${owner} ${kind}`) ?? deps.outbox.takes(owner, kind);
    asked.set(`${owner} ${kind}`, known);
    return known;
  };
  return { ...deps, outbox: { ...deps.outbox, takes } };
}

const ANALYSES: ReadonlySet<string> = new Set(["CallAnalysed", "CallAnalysisFailed"]);

/** Those of calls whose call.ended still waits are sent with it: an end never comes later. */
async function publishAnalyses(
  deps: WebhookPublishingDeps,
  outcomes: Outcomes,
  events: readonly RecordedEvent[],
): Promise<void> {
  const out: Outgoing = { entries: [], ends: [], erased: [] };
  const told = new Set<CallId>();
  for (const { event, metadata } of events) {
    if (!isCallEvent(event) || told.has(event.data.callId)) continue;
    const { callId } = event.data;
    told.add(callId);
    if (!(await deps.outbox.takes(metadata.owner, "call.analyzed"))) continue;
    if (await deps.outbox.endWaits(callId)) continue;
    const facts = await deps.knownCalls.of(callId);
    if (facts === null) continue;
    const attempt = attemptKnown(outcomes, facts) ?? (await outcomeOf(deps, facts));
    out.entries.push(...(await analysesOf(deps, facts, attempt)));
  }
  await enqueue(deps, out);
}

function attemptKnown(outcomes: Outcomes, { request }: CallFacts): AttemptOutcome | null {
  return request.campaignId === null ? SINGLE_CALL_OUTCOME : (outcomes.get(request.callId) ?? null);
}

type Outgoing = {
  readonly entries: OutboxEntry[];
  readonly ends: PendingEnd[];
  /** Calls whose texts were erased: webhooks queued before lose their texts. */
  readonly erased: CallId[];
};
type Outcomes = RecentMap<CallId, AttemptOutcome>;

async function enqueue(deps: WebhookPublishingDeps, out: Outgoing): Promise<void> {
  const ends = stillPending(out);
  const [due] = ends.map((end) => end.due).toSorted();
  if (due !== undefined) {
    await deps.outbox.deferEnds(ends);
    deps.onDeferred(due);
  }
  if (out.entries.length > 0) {
    await deps.outbox.enqueue(out.entries);
  }
  if (out.erased.length > 0) await deps.outbox.emptyCalls(out.erased);
}

/** Without those whose call.ended is sent with these. */
function stillPending({ ends, entries }: Outgoing): readonly PendingEnd[] {
  const announced = new Set(entries.flatMap(({ kind, callId }) => (kind === "call.ended" ? [callId] : [])));
  return ends.filter(({ callId }) => !announced.has(callId));
}

async function collect(
  deps: WebhookPublishingDeps,
  outcomes: Outcomes,
  recorded: RecordedEvent,
  out: Outgoing,
): Promise<void> {
  const { event } = recorded;
  const change = tellableChange(deps.ids, recorded);
  if (change !== null && (await deps.outbox.takes(recorded.metadata.owner, change.kind))) {
    const entry = await campaignEntry(deps, change);
    if (entry !== null) out.entries.push(entry);
  }
  if (isAttemptEnd(event)) {
    outcomes.set(event.data.callId, outcomeFrom(event));
    await collectEnd(deps, outcomes, event.data.callId, out);
  }
  if (!isCallEvent(event)) return;
  deps.knownCalls.hear(event);
  const { callId } = event.data;
  if (event.type === "CallContentErased") out.erased.push(callId);
  if (event.type === "CallConnected") {
    const facts = await deps.knownCalls.of(callId);
    const entry = facts === null ? null : startedEntry(deps, facts);
    if (entry !== null) out.entries.push(entry);
  }
  if (ENDS.has(event.type)) await collectEnd(deps, outcomes, callId, out);
}

const ENDS: ReadonlySet<string> = new Set([
  "CallCompleted",
  "CallFailed",
  "CallRecordingAvailable",
  "CallSessionEnded",
]);

/** Sends call.ended if nothing is missing; else stores a pending end. */
async function collectEnd(
  deps: WebhookPublishingDeps,
  outcomes: Outcomes,
  callId: CallId,
  out: Outgoing,
): Promise<void> {
  const facts = await deps.knownCalls.of(callId);
  if (facts === null || facts.end === null) return;
  const outcome = attemptKnown(outcomes, facts);
  const [wait] = waitsOfEnd(facts, outcome);
  if (wait !== undefined) {
    out.ends.push({ callId, owner: facts.request.owner, due: plusMillis(facts.end.data.at, wait) });
    return;
  }
  const entry = endedEntry(deps, facts, outcome);
  if (entry !== null) out.entries.push(entry, ...(await analysesOf(deps, facts, outcome)));
}

/** None where nobody takes them. */
async function analysesOf(
  deps: WebhookPublishingDeps,
  facts: CallFacts,
  outcome: AttemptOutcome | null,
): Promise<readonly OutboxEntry[]> {
  const isTold = facts.analyses.length > 0 && (await deps.outbox.takes(facts.request.owner, "call.analyzed"));
  return isTold ? analyzedEntries(deps, facts, outcome) : [];
}

/**
 * A row without an end in the log is dropped: nothing can be sent for it, and it would be
 * found again for ever.
 */
async function publishDueEnds(deps: WebhookPublishingDeps, outcomes: Outcomes): Promise<Instant | null> {
  const now = deps.clock.now();
  const out: Outgoing = { entries: [], ends: [], erased: [] };
  const waits: Instant[] = [];
  const unannounced: CallId[] = [];
  for (const { callId } of await deps.outbox.dueEnds(now, DUE_ENDS_AT_ONCE)) {
    const facts = await endedCallFacts(deps, callId);
    if (facts === null) {
      unannounced.push(callId);
      continue;
    }
    const wait = await collectDueEnd(deps, outcomes, facts, now, out);
    if (wait !== null) waits.push(wait);
  }
  await enqueue(deps, out);
  if (unannounced.length > 0) await deps.outbox.dropEnds(unannounced);
  const next = await deps.outbox.nextEndDue();
  if (next !== null && (next > now || waits.length === 0)) waits.push(next);
  return waits.toSorted()[0] ?? null;
}

type EndedCallFacts = CallFacts & { readonly end: NonNullable<CallFacts["end"]> };

/** The cached story may lack the end, so the log is read. null: it can never be sent. */
async function endedCallFacts(deps: WebhookPublishingDeps, callId: CallId): Promise<EndedCallFacts | null> {
  try {
    const heard = await deps.knownCalls.of(callId);
    if (heard !== null && hasEnded(heard)) return heard;
    const read = await deps.knownCalls.again(callId);
    if (read !== null && hasEnded(read)) return read;
    deps.givenUp.add("webhook-due-ends", { callId }, "the log does not know the call, or not its end");
    return null;
  } catch (error) {
    if (!isRefusedForGood(error)) throw error;
    deps.givenUp.add("webhook-due-ends", { callId }, error);
    return null;
  }
}

function hasEnded(facts: CallFacts): facts is EndedCallFacts {
  return facts.end !== null;
}

/**
 * Returns until when the outcome is awaited; null: what is known is sent. call.started is sent with it, so
 * that an end never comes first: after a crash its events may not have been on the feed yet.
 */
async function collectDueEnd(
  deps: WebhookPublishingDeps,
  outcomes: Outcomes,
  facts: EndedCallFacts,
  now: Instant,
  out: Outgoing,
): Promise<Instant | null> {
  const outcome = attemptKnown(outcomes, facts) ?? (await outcomeOf(deps, facts));
  const waitsUntil = plusMillis(facts.end.data.at, OUTCOME_WAIT_MILLIS);
  if (outcome === null && now < waitsUntil) return waitsUntil;
  const started = startedEntry(deps, facts);
  const ended = endedEntry(deps, facts, outcome);
  for (const entry of [started, ended, ...(await analysesOf(deps, facts, outcome))])
    if (entry !== null) out.entries.push(entry);
  return null;
}

/** A campaign that can never be read decides nothing: the end is sent with what is known. */
async function outcomeOf(deps: WebhookPublishingDeps, facts: CallFacts): Promise<AttemptOutcome | null> {
  try {
    return await deps.outcomeInCampaign(facts);
  } catch (error) {
    if (!isRefusedForGood(error)) throw error;
    return null;
  }
}
