import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import { type Instant, millisOf } from "../../domain/shared/instant.ts";
import type { Clock } from "../ports/clock.ts";
import type { EventCodec } from "../ports/event-codec.ts";
import type { EventStore } from "../ports/event-store.ts";
import type { Ids } from "../ports/ids.ts";
import type { CallListRecord } from "../ports/queries/call-records.ts";
import type { Queries } from "../ports/queries.ts";
import type { OutboxEntry, WebhookEventKind } from "../ports/webhook-outbox.ts";
import type { ReplayArchive, ReplayRange, WebhookSettings } from "../ports/webhook-settings.ts";
import { awaitsRecording } from "./call-story.ts";
import { readStory } from "./known-stories.ts";
import { type LoggedOutcomes, loggedOutcomes } from "./logged-outcomes.ts";
import { endedEntry, eventIdOf, SINGLE_CALL_OUTCOME, startedEntry } from "./webhook-body.ts";
import { OUTCOME_WAIT_MILLIS, RECORDING_WAIT_MILLIS } from "./webhook-publishing.ts";

/** A call lives two hours at the most after its dial; a day also covers one that waited long for its pace. */
const LONGEST_CALL_MILLIS = 24 * 3_600_000;
const PAGE = 200;
/** Calls whose streams are read at once, and whose bodies (up to 512 KiB a call) are in memory together. */
const AT_ONCE = 10;

export type RangeReplayDeps = {
  readonly webhooks: Pick<WebhookSettings, "get" | "replayRange"> & ReplayArchive;
  readonly calls: Queries["calls"];
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly publicUrl: () => string;
};

/**
 * A range replay that knows the log: what was never queued, because no endpoint was set then, is made again from the events and stored page by page,
 * with the bytes that it would have had; then all that is stored is replayed. An owner's replays go one after the other, so that memory and the load
 * on the log stay bounded whatever is asked for. A crash in between leaves stored events and no deliveries: asked again with its id, it goes on.
 */
export function rangeReplay(deps: RangeReplayDeps): WebhookSettings["replayRange"] {
  const underWay = new Map<OwnerId, Promise<unknown>>();
  return async (owner, replayId, range) => {
    const before = underWay.get(owner) ?? Promise.resolve();
    const mine = before.then(async () => {
      const events = range.events ?? (await deps.webhooks.get(owner))?.events;
      const wanted = events === undefined ? range : { ...range, events };
      await storeMissing(deps, owner, wanted);
      return deps.webhooks.replayRange(owner, replayId, wanted);
    });
    const over = mine.then(
      () => undefined,
      () => undefined,
    );
    underWay.set(owner, over);
    void over.then(() => {
      if (underWay.get(owner) === over) underWay.delete(owner);
    });
    return mine;
  };
}

/** One event that a call has in the range. */
type Wanted = { readonly call: CallListRecord; readonly kind: WebhookEventKind; readonly eventId: string };

async function storeMissing(deps: RangeReplayDeps, owner: OwnerId, range: ReplayRange): Promise<void> {
  const outcomes = loggedOutcomes(deps);
  for await (const calls of callsOf(deps, owner, range)) {
    const wanted = calls.flatMap((call) => wantedOf(deps.ids, call, range));
    if (wanted.length === 0) continue;
    const eventIds = wanted.map(({ eventId }) => eventId);
    const missing = await deps.webhooks.missing(owner, eventIds);
    const absent = wanted.filter(({ eventId }) => missing.has(eventId));
    for (let from = 0; from < absent.length; from += AT_ONCE) {
      const some = absent.slice(from, from + AT_ONCE);
      const made = await Promise.all(some.map((each) => entryOf(deps, outcomes, each)));
      const entries = made.filter((entry) => entry !== null);
      if (entries.length > 0) await deps.webhooks.store(owner, entries);
    }
  }
}

/** Newest first, page by page, all that can have an event in the range. */
async function* callsOf(
  { calls }: Pick<RangeReplayDeps, "calls">,
  owner: OwnerId,
  { from, to, campaignId }: ReplayRange,
): AsyncGenerator<readonly CallListRecord[]> {
  const filter = { until: to, ...(campaignId === undefined ? {} : { campaignId }) };
  const earliest = millisOf(from) - LONGEST_CALL_MILLIS;
  for (let after: CallId | null = null; ; ) {
    const page: Awaited<ReturnType<Queries["calls"]>> = await calls(owner, filter, { limit: PAGE, after });
    yield page.rows;
    const last = page.rows.at(-1);
    if (page.next === null || last === undefined || millisOf(last.createdAt) < earliest) return;
    after = page.next;
  }
}

function wantedOf(ids: Ids, call: CallListRecord, { from, to, events }: ReplayRange): Wanted[] {
  const moments = [
    { kind: "call.started", at: call.connectedAt },
    { kind: "call.ended", at: call.endedAt },
  ] as const;
  return moments
    .filter(({ kind, at }) => at !== null && at >= from && at < to && (events?.includes(kind) ?? true))
    .map(({ kind }) => ({ call, kind, eventId: eventIdOf(ids, call.callId, kind) }));
}

/** null: the ordinary delivery still waits for what belongs into the body, and will send it. */
async function entryOf(
  deps: RangeReplayDeps,
  outcomes: LoggedOutcomes,
  { call, kind }: Wanted,
): Promise<OutboxEntry | null> {
  const story = await readStory(deps, call.callId);
  if (story === null) return null;
  if (kind === "call.started") return startedEntry(deps, story);
  if (story.end === null) return null;
  const { campaignId } = story.request;
  const outcome =
    campaignId === null ? SINGLE_CALL_OUTCOME : await outcomes.of(campaignId, story.request.callId);
  const waits = (millis: number, since: Instant) => deps.clock.nowMillis() < millisOf(since) + millis;
  if (outcome === null && waits(OUTCOME_WAIT_MILLIS, story.end.data.at)) return null;
  if (awaitsRecording(story) && waits(RECORDING_WAIT_MILLIS, story.end.data.at)) return null;
  return endedEntry(deps, story, outcome);
}
