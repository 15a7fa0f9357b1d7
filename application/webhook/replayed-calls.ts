import type { CallListRecord } from "../../contract/call.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { millisOf } from "../../domain/shared/instant.ts";
import { CALL_KINDS, CALL_ONCE_KINDS, type CallOnceKind, WEBHOOK_KINDS } from "../../domain/webhook/kinds.ts";
import type { Clock } from "../ports/clock.ts";
import type { EventCodec } from "../ports/event-codec.ts";
import type { EventStore } from "../ports/event-store.ts";
import type { Ids } from "../ports/ids.ts";
import type { Queries } from "../ports/queries.ts";
import type { OutboxEntry } from "../ports/webhook-outbox.ts";
import type { CallFacts } from "./call-facts.ts";
import { readCallFacts } from "./known-calls.ts";
import { type LoggedOutcomes, loggedOutcomes } from "./logged-outcomes.ts";
import type { ReplayedEvent, ReplayedPart, ReplaySource } from "./replay-source.ts";
import { waitsOfEnd } from "./waits-of-an-end.ts";
import {
  type AttemptOutcome,
  analyzedEntries,
  CALL_ENTRIES,
  eventIdOf,
  SINGLE_CALL_OUTCOME,
} from "./webhook-body.ts";

/** A call lasts at most two hours after its dial; a day also covers one that waited long for its pace. */
const LONGEST_CALL_MILLIS = 24 * 3_600_000;
const PAGE = 200;
/** Calls whose streams are read at once, and whose bodies (up to 512 KiB a call) are in memory at once. */
const AT_ONCE = 10;

export type ReplayedCallsDeps = {
  readonly queries: Pick<Queries, "calls">;
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly publicUrl: () => string;
};

/** Finds the calls of a range in the read model, and makes their bodies from the log. */
export function replayedCalls(deps: ReplayedCallsDeps): ReplaySource {
  return { atOnce: AT_ONCE, events: (part) => eventsOfCalls(deps, part) };
}

async function* eventsOfCalls(
  deps: ReplayedCallsDeps,
  part: ReplayedPart,
): AsyncGenerator<readonly ReplayedEvent[]> {
  if (!CALL_KINDS.some((kind) => part.kinds.has(kind))) return;
  const outcomes = loggedOutcomes(deps);
  for await (const calls of callsOf(deps, part)) {
    yield calls.flatMap((call) =>
      CALL_ONCE_KINDS.filter((kind) => isInRange(part, kind, call)).map((kind) => ({
        eventId: eventIdOf(deps.ids, call.callId, kind),
        make: () => entryOf(deps, outcomes, call.callId, kind),
      })),
    );
    if (!part.kinds.has("call.analyzed")) continue;
    for (const { callId, outcome } of calls)
      if (outcome.status !== "none") yield await analysesOf(deps, outcomes, part, callId);
  }
}

async function analysesOf(
  deps: ReplayedCallsDeps,
  outcomes: LoggedOutcomes,
  { from, to }: ReplayedPart,
  callId: CallId,
): Promise<readonly ReplayedEvent[]> {
  const facts = await readCallFacts(deps, callId);
  if (facts === null) return [];
  const entries = analyzedEntries(deps, facts, await attemptOf(outcomes, facts));
  return entries
    .filter(({ occurredAt }) => occurredAt >= from && occurredAt < to)
    .map((entry) => ({ eventId: entry.eventId, make: () => Promise.resolve(entry) }));
}

async function attemptOf(outcomes: LoggedOutcomes, { request }: CallFacts): Promise<AttemptOutcome | null> {
  const { campaignId, callId } = request;
  return campaignId === null ? SINGLE_CALL_OUTCOME : outcomes.of(campaignId, callId);
}

/** Newest first, page by page, all calls that can have an event in the range. */
async function* callsOf(
  { queries }: ReplayedCallsDeps,
  { owner, from, to, campaignId }: ReplayedPart,
): AsyncGenerator<readonly CallListRecord[]> {
  const filter = { until: to, ...(campaignId === undefined ? {} : { campaignId }) };
  const earliest = millisOf(from) - LONGEST_CALL_MILLIS;
  for (let after: CallId | null = null; ; ) {
    const page: Awaited<ReturnType<Queries["calls"]>> = await queries.calls(owner, filter, {
      limit: PAGE,
      after,
    });
    yield page.rows;
    const last = page.rows.at(-1);
    if (page.next === null || last === undefined || millisOf(last.createdAt) < earliest) return;
    after = page.next;
  }
}

function isInRange({ from, to, kinds }: ReplayedPart, kind: CallOnceKind, call: CallListRecord): boolean {
  const at = call[CALL_ENTRIES[kind].moment];
  return kinds.has(kind) && at !== null && at >= from && at < to;
}

async function entryOf(
  deps: ReplayedCallsDeps,
  outcomes: LoggedOutcomes,
  callId: CallId,
  kind: CallOnceKind,
): Promise<OutboxEntry | null> {
  const facts = await readCallFacts(deps, callId);
  if (facts === null) return null;
  const { entry } = CALL_ENTRIES[kind];
  if (!WEBHOOK_KINDS[kind].waitsForFacts) return entry(deps, facts, null);
  if (facts.end === null) return null;
  const outcome = await attemptOf(outcomes, facts);
  const endedFor = deps.clock.nowMillis() - millisOf(facts.end.data.at);
  if (waitsOfEnd(facts, outcome).some((wait) => endedFor < wait)) return null;
  return entry(deps, facts, outcome);
}
