import type { Clock } from "../../application/ports/clock.ts";
import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type { EventStore, Position } from "../../application/ports/event-store.ts";
import type { Feed, FeedBatch } from "../../application/ports/feed.ts";
import type { Logger } from "../../application/ports/logger.ts";
import type { Metrics } from "../../application/ports/metrics.ts";
import { type Pauses, retryUntilDone } from "../../application/repeating.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import {
  advanceCheckpoint,
  type CheckpointMove,
  lastEventOf,
  loadCheckpoint,
  type ModelCheckpoint,
  parkEvents,
} from "./checkpoints.ts";
import { gatheredBatches } from "./gathered-batches.ts";
import { isOfMissingTables } from "./missing-tables.ts";
import {
  modelOf,
  type Poison,
  type Projection,
  type ProjectionWriter,
  type ReadDatabase,
  servingTables,
} from "./projection.ts";
import type { ReadPositions } from "./read-positions.ts";
import { withFallback } from "./write-rows.ts";

export type ProjectorDeps = {
  readonly db: ReadDatabase;
  readonly eventStore: EventStore;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly positions: ReadPositions;
  /**
   * Moves a checkpoint over events without rows; see advanceCheckpoint. Projectors that do so at the same
   * time share a statement.
   */
  readonly passOver: (move: CheckpointMove) => Promise<boolean>;
};

/** Progress of a projector, for /health/ready and /metrics. */
export type ProjectorProgress = {
  lastMovedAt: Instant | null;
  /** When the oldest event that is not in the rows yet was stored; null: caught up. */
  behindSince: Instant | null;
  parked: number;
};

/** The most events in a batch; more would only make a transaction longer. */
const GATHERED = 5_000;
const PAUSES: Pauses = { first: 50, longest: 5_000 };

/** The read schema may be dropped at any time: the rows have to be built again. */
export class ReadModelMissingError extends Error {
  override readonly name = "ReadModelMissingError";
  constructor(model: string) {
    super(`the rows of ${model} are gone, or were never built`);
  }
}

/**
 * After a crash or a restore the database lacks rows that it had acknowledged: they have to be written again.
 */
export class ReadModelWentBackError extends Error {
  override readonly name = "ReadModelWentBackError";
  constructor(model: string, from: Position, to: Position) {
    super(`the rows of ${model} went back from position ${from} to ${to}`);
  }
}

/** Waiting does not help: the projector has to start again from the stored checkpoint. */
function mustStartOver(error: unknown): boolean {
  if (error instanceof ReadModelMissingError || error instanceof ReadModelWentBackError) return true;
  return isOfMissingTables(error);
}

/**
 * Follows the feed with one projection, from its checkpoint, until `signal` aborts. Rows and checkpoint
 * are one transaction that begins by moving the checkpoint: of two projectors exactly one writes a
 * batch. Rejects ReadModelMissingError when the tables are gone, ReadModelWentBackError when earlier events
 * are no longer in the rows.
 */
export async function runProjector(
  deps: ProjectorDeps,
  projection: Projection,
  progress: ProjectorProgress,
  signal: AbortSignal,
): Promise<void> {
  const { db, feed, positions } = deps;
  const model = modelOf(projection);
  const writer = projection.openWriter(servingTables(projection));
  let checkpoint = await loadCheckpoint(db, model);
  if (checkpoint === null) throw new ReadModelMissingError(model);
  positions.moved(model, checkpoint.position);
  const follow = feed.follow({
    after: checkpoint.position,
    signal,
    name: `projection:${model}`,
    isAwaited: () => positions.isAwaited(),
  });
  for await (const batch of gatheredBatches(follow, GATHERED)) {
    progress.behindSince ??= batch.events[0]?.created ?? null;
    checkpoint = await take(deps, { projection, model, writer }, checkpoint, batch, progress, signal);
    if (signal.aborted) return;
    positions.moved(model, checkpoint.position);
    progress.behindSince = batch.caughtUp ? null : (batch.events.at(-1)?.created ?? progress.behindSince);
    if (batch.caughtUp && projection.restMillis !== undefined)
      await deps.clock.sleep(projection.restMillis, signal);
  }
}

type Following = {
  readonly projection: Projection;
  readonly model: string;
  readonly writer: ProjectionWriter;
};

/** Retries a batch until its rows are written, by this process or another one. */
async function take(
  deps: ProjectorDeps,
  following: Following,
  from: ModelCheckpoint,
  batch: FeedBatch,
  progress: ProjectorProgress,
  signal: AbortSignal,
): Promise<ModelCheckpoint> {
  const { eventStore, clock, logger } = deps;
  let checkpoint = from;
  const ahead = (position: Position) => eventStore.comparePositions(position, checkpoint.position);
  const onFailure = (error: unknown) => {
    if (mustStartOver(error)) throw error;
    const problem = error instanceof Error ? error.message : String(error);
    logger.warn({ model: following.model, position: batch.position, problem }, "read model waits");
  };
  await retryUntilDone({ clock, pauses: PAUSES, signal, onFailure }, async () => {
    while (ahead(batch.position) > 0 && !signal.aborted) {
      const events = batch.events.filter(({ position }) => ahead(position) > 0);
      const written = await writeBatch(deps, following, checkpoint, { ...batch, events });
      if (written !== null) {
        progress.lastMovedAt = clock.now();
        report(deps, following.model, events, written.poisons, progress);
      }
      checkpoint = written?.checkpoint ?? (await foundElsewhere(deps, following, checkpoint));
    }
  });
  return checkpoint;
}

/**
 * Another process has moved the checkpoint: reads how far. Rejects when the rows are gone, or the checkpoint
 * is older than before.
 */
async function foundElsewhere(
  { db, eventStore }: ProjectorDeps,
  { model, writer }: Following,
  from: ModelCheckpoint,
): Promise<ModelCheckpoint> {
  writer.forget();
  const found = await loadCheckpoint(db, model);
  if (found === null) throw new ReadModelMissingError(model);
  if (eventStore.comparePositions(found.position, from.position) < 0)
    throw new ReadModelWentBackError(model, from.position, found.position);
  return found;
}

/** null: another process moved the checkpoint, or a rebuild replaced the tables. */
async function writeBatch(
  { db, passOver }: ProjectorDeps,
  { projection, model, writer }: Following,
  from: ModelCheckpoint,
  { events, position }: FeedBatch,
): Promise<{ readonly checkpoint: ModelCheckpoint; readonly poisons: readonly Poison[] } | null> {
  const checkpoint = { ...from, position, lastEvent: lastEventOf(events, from.lastEvent) };
  const move = { model, from, to: checkpoint };
  const ours = events.filter(({ event }) => projection.types.has(event.type));
  if (ours.length === 0) return (await passOver(move)) ? { checkpoint, poisons: [] } : null;
  const written = await withFallback(writer, (write) =>
    db.transaction().execute(async (trx) => {
      if (!(await advanceCheckpoint(trx, move))) return null;
      const poisons = await write(trx, ours);
      await parkEvents(trx, model, poisons);
      return { checkpoint, poisons };
    }),
  );
  return written;
}

function report(
  { logger, metrics }: ProjectorDeps,
  model: string,
  events: readonly RecordedEvent[],
  poisons: readonly Poison[],
  progress: ProjectorProgress,
): void {
  metrics.count("ringfold_read_model_events_total", { model }, events.length);
  progress.parked += poisons.length;
  for (const { recorded, problem } of poisons) {
    const { position, stream, revision, event } = recorded;
    metrics.count("ringfold_read_model_parked_events_total", { model });
    logger.error(
      { model, position, stream, revision, type: event.type, problem },
      "read model parked an event",
    );
  }
}
