import type { Clock } from "../../application/ports/clock.ts";
import { type Position, START } from "../../application/ports/event-store.ts";
import { lastEventOf, loadCheckpoint } from "./checkpoints.ts";
import { modelOf, type Projection, type ReadDatabase } from "./projection.ts";
import { type Draft, decodeFor, extend, indexTables, openDraft, type RebuildDeps } from "./rebuild-draft.ts";
import { underLock } from "./rebuild-lock.ts";
import { switchOver } from "./rebuild-switch.ts";

export type RebuildProgress = {
  /** Events read so far. */
  readonly events: number;
  readonly position: Position;
  /** End of the log when the rebuild began. */
  readonly head: Position;
};

export type RebuildOptions = {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: RebuildProgress) => void;
  /** Called before the first event is read: these have no rows until they are built. */
  readonly onMissing?: (projections: readonly Projection[]) => void;
  /** Called as soon as one is in place, while the others are still being built. */
  readonly onBuilt?: (projection: Projection) => void;
};

/** Large, so that a row is written once for many of its events. */
const BATCH = 10_000;

/**
 * Builds the given projections from the start of the log beside the serving tables, in one pass, and puts
 * each in place in one transaction. Until then, and if it ends before, the old rows serve. Rejects
 * RebuildRunningError, and with the signal's reason when it aborts.
 */
export async function rebuild(
  deps: RebuildDeps,
  projections: readonly Projection[],
  options: RebuildOptions,
): Promise<void> {
  await underLock(deps.db, projections, { kind: "refuse" }, options.signal, () =>
    build(deps, projections, options),
  );
}

/**
 * Builds the projections without rows (a new version, or a new installation); waits if another
 * process is building them.
 */
export async function buildMissing(
  deps: RebuildDeps & { readonly clock: Clock },
  projections: readonly Projection[],
  options: RebuildOptions,
): Promise<void> {
  const found = await missing(deps.db, projections);
  if (found.length === 0) return;
  options.onMissing?.(found);
  const whenBusy = { kind: "wait", clock: deps.clock } as const;
  await underLock(deps.db, projections, whenBusy, options.signal, async () => {
    const unbuilt = await missing(deps.db, projections);
    if (unbuilt.length > 0) await build(deps, unbuilt, options);
  });
}

async function missing(db: ReadDatabase, projections: readonly Projection[]): Promise<Projection[]> {
  const found = await Promise.all(projections.map((projection) => loadCheckpoint(db, modelOf(projection))));
  return projections.filter((_, index) => found[index] === null);
}

async function build(
  deps: RebuildDeps,
  projections: readonly Projection[],
  options: RebuildOptions,
): Promise<void> {
  const building = { ...deps, leftOut: new Set<Position>() };
  const drafts = await Promise.all(projections.map((projection) => openDraft(deps.db, projection)));
  await fill(building, drafts, options);
  for (const draft of drafts) await indexTables(deps.db, draft);
  for (const draft of drafts) {
    await switchOver(building, draft);
    options.onBuilt?.(draft.projection);
  }
}

/** Reads the log once for all; the next events are read and decoded while the last ones are written. */
async function fill(
  deps: RebuildDeps,
  drafts: readonly Draft[],
  { signal, onProgress }: RebuildOptions,
): Promise<void> {
  const { eventStore } = deps;
  const projections = drafts.map(({ projection }) => projection);
  let head = await eventStore.head();
  if (head === START) return;
  let events = 0;
  let writing: Promise<unknown> = Promise.resolve();
  for await (const batch of eventStore.subscribe({ after: START, signal, batchSize: BATCH })) {
    const recorded = await decodeFor(deps, projections, batch.events);
    const to = { position: batch.position, lastEvent: lastEventOf(batch.events, null) };
    await writing;
    writing = Promise.all(drafts.map((draft) => extend(deps.db, draft, recorded, to)));
    // Awaited in the next round; until then a failure must not count as unhandled.
    writing.catch(() => undefined);
    events += batch.events.length;
    onProgress?.({ events, position: batch.position, head });
    if (batch.caughtUp) break;
    if (eventStore.comparePositions(batch.position, head) < 0) continue;
    head = await eventStore.head();
    if (eventStore.comparePositions(batch.position, head) >= 0) break;
  }
  await writing;
  signal.throwIfAborted();
}
