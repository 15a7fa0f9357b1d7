import type { DomainEvent } from "../../domain/events.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { Checkpoints } from "../ports/checkpoints.ts";
import type { Clock } from "../ports/clock.ts";
import type { EventCodec, RecordedEvent } from "../ports/event-codec.ts";
import { type EventStore, type Position, START } from "../ports/event-store.ts";
import type { Feed, FeedBatch } from "../ports/feed.ts";
import type { Logger } from "../ports/logger.ts";
import type { ProcessorTurns } from "../ports/processor-turns.ts";
import { type Pauses, repeatUntilStopped, retryUntilDone } from "../repeating.ts";
import { createCheckpointSaver } from "./checkpoint-saver.ts";
import { behindSince, everybodysTurn, inTurn } from "./in-turn.ts";
import { ageOf, type ProcessorStatus } from "./processor-status.ts";

/** A handler of events: at least once for each, in log order. The same events again must change nothing. */
export type Reaction = {
  readonly name: string;
  readonly types: readonly DomainEvent["type"][];
  readonly handle: (events: readonly RecordedEvent[]) => Promise<void>;
  /** It is this process that handles them from now on. */
  readonly begins?: () => void;
};

export type ReactionDeps = {
  readonly feed: Feed;
  readonly checkpoints: Checkpoints;
  readonly codec: EventCodec;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Transient failures (a store is unavailable): the reaction backs off and stays at its position. */
  readonly isTransient: (error: unknown) => boolean;
  readonly eventStore: Pick<EventStore, "readAll">;
  /** Default: every process has the turn. */
  readonly turns?: ProcessorTurns;
};

export type RunningReaction = { readonly status: () => ProcessorStatus; readonly finished: Promise<void> };

const PAUSES: Pauses = { first: 100, longest: 5_000 };

/**
 * While it has the turn, follows the feed from its checkpoint (from the beginning when there is none),
 * until `stop` aborts. `finished` never rejects: after a failure that no event caused it starts again
 * from the checkpoint.
 */
export function runReaction(deps: ReactionDeps, reaction: Reaction, stop: AbortSignal): RunningReaction {
  const progress: Progress = {
    position: START,
    saved: START,
    lastMovedAt: null,
    eventId: null,
    behindSince: null,
    parked: 0,
  };
  return { status: () => statusOf(deps, reaction, progress), finished: run(deps, reaction, progress, stop) };
}

type Progress = {
  position: Position;
  saved: Position;
  lastMovedAt: Instant | null;
  eventId: string | null;
  /** When the oldest event that is not processed was written, as far as known. */
  behindSince: Instant | null;
  parked: number;
};

function statusOf(
  { clock }: ReactionDeps,
  { name }: Reaction,
  { position, lastMovedAt, behindSince, parked }: Progress,
): ProcessorStatus {
  return { name, position, lagMillis: ageOf(clock, behindSince), lastMovedAt, parked };
}

async function run(
  deps: ReactionDeps,
  reaction: Reaction,
  progress: Progress,
  stop: AbortSignal,
): Promise<void> {
  const { clock, turns = everybodysTurn } = deps;
  const onFailure = (error: unknown) =>
    deps.logger.error(
      { processor: reaction.name, problem: problemOf(error) },
      "reaction starts over from its checkpoint",
    );
  const pause = () => clock.sleep(PAUSES.longest, stop);
  await repeatUntilStopped({ signal: stop, pause, onFailure }, () =>
    inTurn({ clock, turns }, reaction.name, stop, {
      work: (signal) => followFromCheckpoint(deps, reaction, progress, signal),
      meanwhile: () => lookAtCheckpoint(deps, reaction, progress, stop),
    }),
  );
}

async function followFromCheckpoint(
  deps: ReactionDeps,
  reaction: Reaction,
  progress: Progress,
  stop: AbortSignal,
): Promise<void> {
  await untilItWorks(deps, reaction, stop, () => loadProgress(deps, reaction, progress));
  reaction.begins?.();
  const { position: after } = progress;
  const saver = createCheckpointSaver(
    {
      clock: deps.clock,
      isSaved: () => progress.saved === progress.position,
      save: () => save(deps, reaction, progress),
      retryWhileTransient: (work) => untilItWorks(deps, reaction, stop, work),
    },
    stop,
  );
  try {
    for await (const batch of deps.feed.follow({ after, signal: stop, name: reaction.name })) {
      progress.behindSince ??= batch.events[0]?.created ?? null;
      await react(deps, reaction, progress, batch, stop);
      if (stop.aborted) return;
      moveOn(deps, progress, batch);
      saver.moved();
    }
  } finally {
    await saver.end();
  }
}

async function loadProgress(
  { checkpoints }: ReactionDeps,
  { name }: Reaction,
  progress: Progress,
): Promise<void> {
  const stored = await checkpoints.load(name);
  const parked = await checkpoints.parked();
  progress.parked = parked.filter(({ processor }) => processor === name).length;
  progress.position = stored?.position ?? START;
  progress.saved = progress.position;
  progress.eventId = stored?.eventId ?? null;
}

/** Another process does the work: read its progress. */
async function lookAtCheckpoint(
  deps: ReactionDeps,
  reaction: Reaction,
  progress: Progress,
  stop: AbortSignal,
): Promise<void> {
  await untilItWorks(deps, reaction, stop, async () => {
    const { position: before } = progress;
    await loadProgress(deps, reaction, progress);
    if (progress.position !== before) progress.lastMovedAt = deps.clock.now();
    progress.behindSince = await behindSince(deps, progress.position);
  });
}

async function react(
  deps: ReactionDeps,
  reaction: Reaction,
  progress: Progress,
  { events }: FeedBatch,
  stop: AbortSignal,
): Promise<void> {
  const relevant = events.filter(({ event }) => reaction.types.includes(event.type));
  if (relevant.length > 0) progress.parked += await handleAll(deps, reaction, relevant, stop);
}

/**
 * All events at once; when that fails for good, each alone, so that one bad event does not stop the others.
 * Returns how many were parked.
 */
async function handleAll(
  deps: ReactionDeps,
  reaction: Reaction,
  events: readonly RecordedEvent[],
  stop: AbortSignal,
): Promise<number> {
  try {
    await untilItWorks(deps, reaction, stop, () => reaction.handle(events));
    return 0;
  } catch (error) {
    const [first, ...others] = events;
    if (first !== undefined && others.length === 0) {
      await park(deps, reaction, first, error, stop);
      return 1;
    }
    let parked = 0;
    for (const event of events) parked += await handleAll(deps, reaction, [event], stop);
    return parked;
  }
}

async function park(
  deps: ReactionDeps,
  reaction: Reaction,
  recorded: RecordedEvent,
  error: unknown,
  stop: AbortSignal,
): Promise<void> {
  const { event, ...rest } = recorded;
  const problem = problemOf(error);
  deps.logger.error(
    { processor: reaction.name, position: recorded.position, type: event.type, problem },
    "event parked",
  );
  const { type, data } = deps.codec.withoutWords(event);
  await untilItWorks(deps, reaction, stop, () =>
    deps.checkpoints.park(reaction.name, { ...rest, type, data }, problem),
  );
}

function problemOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

function moveOn(
  { clock }: ReactionDeps,
  progress: Progress,
  { events, position, caughtUp }: FeedBatch,
): void {
  progress.position = position;
  progress.behindSince = caughtUp ? null : (events.at(-1)?.created ?? progress.behindSince);
  progress.eventId = events.at(-1)?.id ?? progress.eventId;
  progress.lastMovedAt = clock.now();
}

async function save(deps: ReactionDeps, reaction: Reaction, progress: Progress): Promise<void> {
  const { position, eventId } = progress;
  await deps.checkpoints.save(reaction.name, { position, eventId });
  progress.saved = position;
}

/**
 * Backs off after transient failures and tries again; rejects with any other. Resolves with
 * undefined when it is to stop.
 */
async function untilItWorks<T>(
  deps: ReactionDeps,
  reaction: Reaction,
  stop: AbortSignal,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const onFailure = (error: unknown) => {
    if (!deps.isTransient(error)) throw error;
    deps.logger.warn({ processor: reaction.name, error: String(error) }, "a store is away, tries again");
  };
  return retryUntilDone({ clock: deps.clock, pauses: PAUSES, signal: stop, onFailure }, work);
}
