import type { Clock } from "../ports/clock.ts";
import type { EventCodec, RecordedEvent } from "../ports/event-codec.ts";
import type { EventStore, Position, StoredEvent } from "../ports/event-store.ts";
import type { Feed, FeedBatch } from "../ports/feed.ts";
import type { Logger } from "../ports/logger.ts";
import type { Metrics } from "../ports/metrics.ts";
import { repeatUntilStopped } from "../repeating.ts";
import { appendBatch, createFeedWindow, type FeedWindow, trimWindow } from "./feed-window.ts";

export type FeedDeps = {
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Stores an event that does not match its schema, so that it can be skipped. */
  readonly parkDamaged: (stored: StoredEvent, problem: string) => Promise<void>;
  /** Largest weight of the shared window (about one for each event or imported contact). */
  readonly windowWeight?: number;
};

const WINDOW_WEIGHT = 20_000;
const PAGE = 1_000;
/**
 * How long the subscription waits for the slowest follower. After that the follower reads the log by itself.
 */
const PATIENCE_MILLIS = 250;
const PAUSE_AFTER_FAILURE_MILLIS = 500;

type Follower = { next: number; readonly isAwaited?: () => boolean };

/** State that all followers share. */
type Shared = {
  window: FeedWindow;
  readonly followers: Set<Follower>;
  /** Ends the subscription that fills the window. */
  pumping: AbortController;
  readonly bells: Record<Bell, PromiseWithResolvers<void> | null>;
};

/** arrived: a batch has come, or a follower is to stop. consumed: a follower has taken a batch. */
type Bell = "arrived" | "consumed";

/**
 * One subscription for a process, decoded once, for everybody who follows the log in it. A follower behind
 * the window reads the log by itself until it has caught up. If a follower is far ahead of a subscription
 * that is still catching up, the subscription jumps to it, and those left behind read by themselves.
 */
export function createFeed(deps: FeedDeps): Feed {
  let shared: Shared | null = null;
  return {
    follow: (options) => {
      const current = shared ?? { ...emptyAt(options.after), followers: new Set<Follower>() };
      const isNew = shared === null;
      shared = current;
      if (isNew) void pump(deps, current, current.window, current.pumping.signal);
      else if (isAhead(deps, current, options.after)) moveTo(deps, current, options.after);
      const { isAwaited } = options;
      const follower: Follower = { next: 0, ...(isAwaited && { isAwaited }) };
      current.followers.add(follower);
      const leave = () => {
        current.followers.delete(follower);
        if (current.followers.size > 0) return;
        current.pumping.abort("nobody follows");
        shared = null;
      };
      return followUntil(deps, current, follower, options, leave);
    },
  };
}

function emptyAt(start: Position): Omit<Shared, "followers"> {
  return {
    window: createFeedWindow(start),
    pumping: new AbortController(),
    bells: { arrived: null, consumed: null },
  };
}

function isAhead({ eventStore }: FeedDeps, shared: Shared, position: Position): boolean {
  return !isCaughtUp(shared) && eventStore.comparePositions(position, shared.window.position) > 0;
}

/** A follower that reached the end by its own reading must learn that it is the end. */
function isCaughtUp({ window }: Shared): boolean {
  return window.batches.at(-1)?.batch.caughtUp === true;
}

function moveTo(deps: FeedDeps, shared: Shared, start: Position): void {
  shared.pumping.abort("moved on");
  shared.pumping = new AbortController();
  shared.window = createFeedWindow(start);
  for (const follower of shared.followers) follower.next = 0;
  ring(shared, "arrived");
  void pump(deps, shared, shared.window, shared.pumping.signal);
}

function ring({ bells }: Shared, bell: Bell): void {
  const rung = bells[bell];
  bells[bell] = null;
  rung?.resolve();
}

/** Resolves at the next ring. */
function untilRung({ bells }: Shared, bell: Bell): Promise<void> {
  bells[bell] ??= Promise.withResolvers();
  return bells[bell].promise;
}

/** Fills the window; subscribes again at the same position when the subscription breaks. */
async function pump(deps: FeedDeps, shared: Shared, window: FeedWindow, signal: AbortSignal): Promise<void> {
  const onFailure = (error: unknown) =>
    deps.logger.warn({ error: String(error) }, "feed interrupted, subscribing again");
  const pause = () => deps.clock.sleep(PAUSE_AFTER_FAILURE_MILLIS, signal);
  const isAwaited = () => [...shared.followers].some((follower) => follower.isAwaited?.() === true);
  await repeatUntilStopped({ signal, pause, onFailure }, async () => {
    for await (const batch of deps.eventStore.subscribe({ after: window.position, signal, isAwaited })) {
      const decoded = { ...batch, events: await decodeAll(deps, batch.events) };
      appendBatch(window, decoded);
      ring(shared, "arrived");
      await makeRoom(deps, shared, window, signal);
    }
  });
}

/** Slow followers delay the others only for a moment, and memory stays bounded. */
async function makeRoom(
  deps: FeedDeps,
  shared: Shared,
  window: FeedWindow,
  signal: AbortSignal,
): Promise<void> {
  const limit = deps.windowWeight ?? WINDOW_WEIGHT;
  const until = deps.clock.monotonicMillis() + PATIENCE_MILLIS;
  const needsTheOldest = () => firstNeeded(shared) <= (window.batches[0]?.number ?? 0);
  while (window.weight > limit && needsTheOldest() && !signal.aborted) {
    const left = until - deps.clock.monotonicMillis();
    if (left <= 0) break;
    await Promise.race([untilRung(shared, "consumed"), deps.clock.sleep(left, signal)]);
  }
  trimWindow(window, limit, firstNeeded(shared));
}

/** Number of the first batch that a follower has not taken. */
function firstNeeded({ followers }: Shared): number {
  return Math.min(...[...followers].map(({ next }) => next));
}

async function decodeAll(deps: FeedDeps, stored: readonly StoredEvent[]): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (const decoded of await deps.codec.decode(stored)) {
    if (decoded.kind === "event") events.push(decoded.recorded);
    else if (decoded.kind === "unknown_type")
      deps.metrics.count("ringfold_unknown_events_total", { type: decoded.stored.type });
    else await passOver(deps, decoded.stored, decoded.problem);
  }
  return events;
}

async function passOver(deps: FeedDeps, stored: StoredEvent, problem: string): Promise<void> {
  const { position, type, stream, revision } = stored;
  deps.logger.error({ position, type, stream, revision, problem }, "damaged event passed over");
  deps.metrics.count("ringfold_damaged_events_total", { type });
  await deps.parkDamaged(stored, problem);
}

type FollowOptions = Parameters<Feed["follow"]>[0];

async function* followUntil(
  deps: FeedDeps,
  shared: Shared,
  follower: Follower,
  { after, signal }: FollowOptions,
  leave: () => void,
): AsyncGenerator<FeedBatch> {
  let position = after;
  let saidSo = false;
  const lookUp = () => ring(shared, "arrived");
  signal.addEventListener("abort", lookUp);
  try {
    while (!signal.aborted) {
      const behind = deps.eventStore.comparePositions(position, shared.window.since) < 0;
      const batch = behind
        ? await readPage(deps, position, signal)
        : takeNext(deps, shared, follower, position);
      if (behind && batch?.position === position) {
        // Nothing of ours is between its position and the window (yet), so reading again would find the same.
        await Promise.race([untilRung(shared, "arrived"), deps.clock.sleep(PATIENCE_MILLIS, signal)]);
      } else if (batch !== null) {
        position = batch.position;
        saidSo = batch.caughtUp;
        if (!signal.aborted) yield batch;
      } else if (!behind && !saidSo && isCaughtUp(shared)) {
        saidSo = true;
        yield { events: [], position, caughtUp: true };
      } else if (!behind) await untilRung(shared, "arrived");
    }
  } finally {
    signal.removeEventListener("abort", lookUp);
    leave();
  }
}

/** The part after `position` of the first batch that goes beyond it; null: nothing new. */
function takeNext(
  { eventStore }: FeedDeps,
  shared: Shared,
  follower: Follower,
  position: Position,
): FeedBatch | null {
  const { batches, count } = shared.window;
  const start = Math.max(0, follower.next - (batches[0]?.number ?? 0));
  const found = batches
    .slice(start)
    .find(({ batch }) => eventStore.comparePositions(batch.position, position) > 0);
  follower.next = found === undefined ? count : found.number + 1;
  trimWindow(shared.window, Number.POSITIVE_INFINITY, firstNeeded(shared));
  ring(shared, "consumed");
  if (found === undefined) return null;
  const { batch, since } = found;
  if (eventStore.comparePositions(since, position) >= 0) return batch;
  return {
    ...batch,
    events: batch.events.filter((event) => eventStore.comparePositions(event.position, position) > 0),
  };
}

/** null: it could not be read, or the follower is to stop. */
async function readPage(deps: FeedDeps, after: Position, signal: AbortSignal): Promise<FeedBatch | null> {
  try {
    const page = await deps.eventStore.readAll({ after, limit: PAGE, signal });
    return { events: await decodeAll(deps, page.events), position: page.next, caughtUp: false };
  } catch (error) {
    if (signal.aborted) return null;
    deps.logger.warn({ error: String(error) }, "feed could not read, tries again");
    await deps.clock.sleep(PAUSE_AFTER_FAILURE_MILLIS, signal);
    return null;
  }
}
