import { groupRunner } from "../application/group-runner.ts";
import { behindSince, everybodysTurn, inTurn } from "../application/log/in-turn.ts";
import { ageOf } from "../application/log/processor-status.ts";
import type { EventCodec } from "../application/ports/event-codec.ts";
import { type EventStore, isEventStoreFailure, type Position } from "../application/ports/event-store.ts";
import type { ProcessorTurns } from "../application/ports/processor-turns.ts";
import { type Pauses, retryUntilDone } from "../application/repeating.ts";
import type { Instant } from "../domain/shared/instant.ts";
import { callsProjection } from "./calls/calls.ts";
import { campaignsProjection } from "./campaigns/campaigns.ts";
import { contactsProjection } from "./contacts/contacts.ts";
import {
  advanceCheckpoints,
  type CheckpointMove,
  createReadSchema,
  loadCheckpoint,
  loadParked,
  type ModelCheckpoint,
} from "./engine/checkpoints.ts";
import { dropOldVersions } from "./engine/old-versions.ts";
import { modelOf, type Projection } from "./engine/projection.ts";
import {
  type ProjectorDeps,
  type ProjectorProgress,
  ReadModelMissingError,
  runProjector,
} from "./engine/projector.ts";
import { createReadPositions, type ReadPositions } from "./engine/read-positions.ts";
import { buildMissing, rebuild } from "./engine/rebuild.ts";
import { ownerEventsProjection } from "./history/owner-events.ts";
import { searchProjection } from "./search/search.ts";
import { callSeriesProjection } from "./series/call-series.ts";
import { squadsProjection } from "./squads/squads.ts";

export const READ_MODELS: readonly Projection[] = [
  callsProjection,
  campaignsProjection,
  contactsProjection,
  squadsProjection,
];

/** Models that no write waits for; they process events after the others. */
export const BACKGROUND_MODELS: readonly Projection[] = [searchProjection, callSeriesProjection];

/** The models for this kind of log: one that cannot query by owner gets an index by owner. */
export function readModelsFor(
  eventStoreUrl: string | null,
  { comparePositions }: Pick<EventStore, "comparePositions">,
): readonly Projection[] {
  return eventStoreUrl === null ? READ_MODELS : [...READ_MODELS, ownerEventsProjection(comparePositions)];
}

export type ReadModelStatus = {
  readonly model: string;
  /** starting: the stores have not answered yet; building: this version has no rows yet and cannot answer. */
  readonly state: "starting" | "building" | "following";
  readonly position: Position;
  /** Age of the oldest event that is not in the rows yet; 0: caught up. */
  readonly lagMillis: number;
  readonly lastMovedAt: Instant | null;
  /** Number of parked events. */
  readonly parked: number;
};

export interface ReadModels {
  readonly positions: ReadPositions;
  /**
   * Builds what is missing, then follows the feed while it has the turn, until `signal` aborts. Never
   * rejects: unavailable stores are retried.
   */
  run(signal: AbortSignal): Promise<void>;
  status(): readonly ReadModelStatus[];
}

type Deps = Omit<ProjectorDeps, "positions" | "passOver"> & {
  readonly codec: EventCodec;
  /** Default: every process has the turn. */
  readonly turns?: ProcessorTurns;
};
type Running = ProjectorProgress & { state: ReadModelStatus["state"] };

const PAUSES: Pauses = { first: 1_000, longest: 1_000 };

export function createReadModels(deps: Deps, projections: readonly Projection[] = READ_MODELS): ReadModels {
  return new FollowingModels(deps, projections);
}

/**
 * The read models of this process. Each follows by itself, so that one that is stuck does not delay
 * the others.
 */
class FollowingModels implements ReadModels {
  readonly positions: ReadPositions;
  readonly #deps: Deps;
  readonly #projections: readonly Projection[];
  readonly #passOver: ProjectorDeps["passOver"];
  readonly #running: ReadonlyMap<string, Running>;

  constructor(deps: Deps, projections: readonly Projection[]) {
    this.#deps = deps;
    this.#projections = projections;
    this.positions = createReadPositions(deps, projections.map(modelOf));
    this.#passOver = groupRunner({
      run: (moves: readonly CheckpointMove[]) => advanceCheckpoints(deps.db, moves),
      largest: projections.length,
      failsForAll: () => true,
    });
    this.#running = new Map<string, Running>(
      projections.map((projection) => [
        modelOf(projection),
        { state: "starting", lastMovedAt: null, behindSince: null, parked: 0 },
      ]),
    );
  }

  async run(signal: AbortSignal): Promise<void> {
    const deps = this.#deps;
    const following = new Map<Projection, Promise<void>>();
    /** A model that is in place does not wait for the others. */
    const begin = (projection: Projection): void => {
      if (following.has(projection)) return;
      const goesOn = untilDone(deps, "read model starts over", signal, () =>
        this.#follow(projection, signal),
      );
      following.set(projection, goesOn);
    };
    for (const model of this.#running.keys()) this.positions.building(model);
    await untilDone(deps, "read models cannot start yet", signal, () => this.#prepare(signal, begin));
    for (const projection of this.#projections) begin(projection);
    await Promise.all(following.values());
  }

  readonly #onMissing = (found: readonly Projection[]): void => {
    for (const projection of found) this.positions.unserved(modelOf(projection));
  };

  /** Rebuilds missing rows, in case they were dropped meanwhile. */
  async #follow(projection: Projection, signal: AbortSignal): Promise<void> {
    const deps = this.#deps;
    const { positions } = this;
    const { clock, turns = everybodysTurn } = deps;
    const model = modelOf(projection);
    const progress = this.#running.get(model);
    if (progress === undefined) return;
    progress.state = "building";
    positions.building(model);
    await createReadSchema(deps.db);
    await buildMissing(deps, [projection], { signal, onMissing: this.#onMissing });
    progress.state = "following";
    const projector = { ...deps, positions, passOver: this.#passOver };
    await inTurn({ clock, turns }, `read model ${model}`, signal, {
      work: (untilLost) => runProjector(projector, projection, progress, untilLost),
      meanwhile: () => this.#lookAtCheckpoint(model, progress),
    });
  }

  /** Another process writes the rows: reads its progress. */
  async #lookAtCheckpoint(model: string, progress: Running): Promise<void> {
    const { db, clock } = this.#deps;
    const { positions } = this;
    const checkpoint = await loadCheckpoint(db, model);
    if (checkpoint === null) throw new ReadModelMissingError(model);
    const before = positions.of(model);
    positions.moved(model, checkpoint.position);
    if (positions.of(model) !== before) progress.lastMovedAt = clock.now();
    progress.behindSince = await behindSince(this.#deps, checkpoint.position);
    progress.parked = (await loadParked(db, [model])).length;
  }

  async #prepare(signal: AbortSignal, onBuilt: (projection: Projection) => void): Promise<void> {
    const deps = this.#deps;
    await createReadSchema(deps.db);
    // Tried again, it finds models that follow already: those stay as they are.
    for (const progress of this.#running.values())
      if (progress.state === "starting") progress.state = "building";
    await buildMissing(deps, this.#projections, { signal, onMissing: this.#onMissing, onBuilt });
    const foreign = await foreignModels(deps, this.#projections);
    if (foreign.length > 0) await rebuild(deps, foreign, { signal });
    await dropOldVersions(deps.db, this.#projections);
    const parked = await loadParked(deps.db, [...this.#running.keys()]);
    for (const [model, progress] of this.#running) {
      progress.parked = parked.filter((row) => row.model === model).length;
    }
  }

  status(): readonly ReadModelStatus[] {
    return [...this.#running].map(([model, progress]) => ({
      model,
      state: progress.state,
      position: this.positions.of(model),
      lagMillis: ageOf(this.#deps.clock, progress.behindSince),
      lastMovedAt: progress.lastMovedAt,
      parked: progress.parked,
    }));
  }
}

async function untilDone(
  { clock, logger }: Deps,
  what: string,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  const onFailure = (error: unknown) => {
    if (!signal.aborted)
      logger.error({ problem: error instanceof Error ? error.message : String(error) }, what);
  };
  await retryUntilDone({ clock, pauses: PAUSES, signal, onFailure }, work);
}

/**
 * Models whose last event is not in this log: the log was restored to an older state, or replaced.
 * Their rows are rebuilt.
 */
async function foreignModels(deps: Deps, projections: readonly Projection[]): Promise<Projection[]> {
  const foreign: Projection[] = [];
  for (const projection of projections) {
    const model = modelOf(projection);
    const checkpoint = await loadCheckpoint(deps.db, model);
    if (checkpoint === null || (await isOfThisLog(deps, checkpoint))) continue;
    const { position, lastEvent } = checkpoint;
    deps.logger.error(
      { model, position, stream: lastEvent?.stream, revision: lastEvent?.revision },
      "the last event of this read model is not in the log: the log went back, or is another one; its rows are built again",
    );
    foreign.push(projection);
  }
  return foreign;
}

/**
 * Judged by the last event only: the position may be beyond our last event, because it also
 * advances over foreign ones.
 */
async function isOfThisLog({ eventStore }: Deps, { lastEvent }: ModelCheckpoint): Promise<boolean> {
  if (lastEvent === null) return true;
  try {
    const [event] = await eventStore.read(lastEvent.stream, { from: lastEvent.revision, max: 1 });
    return event?.id === lastEvent.id;
  } catch (error) {
    // An operator may have deleted the stream; that alone does not make it another log.
    if (isEventStoreFailure(error, "deleted") || isEventStoreFailure(error, "not_found")) return true;
    throw error;
  }
}
