import type { RunningReaction } from "../application/log/reaction.ts";
import { erasuresReaction } from "../application/personal-data/erase-again.ts";
import type { ErasureStepsDeps } from "../application/personal-data/erasure-steps.ts";
import { runErasures } from "../application/personal-data/run-erasures.ts";
import { runRetention } from "../application/personal-data/run-retention.ts";
import type { DialGate } from "../application/restore/dial-gate.ts";
import { READ_FIRST, type ReadingGate } from "../application/restore/reading-gate.ts";
import { runVerifications } from "../application/verification/run-verifications.ts";
import { systemClock } from "../infrastructure/clock.ts";
import { systemIds } from "../infrastructure/ids.ts";
import { writeHeartbeat } from "../infrastructure/postgres/alive.ts";
import { purgeExpired } from "../infrastructure/postgres/housekeeping.ts";
import type { ReadModels } from "../projections/read-models.ts";
import type { ComposedEngine } from "./compose-engine.ts";
import type { Adapters } from "./open-adapters.ts";
import type { OpenRecordings } from "./open-recordings.ts";
import type { OpenRehearsals } from "./open-rehearsals.ts";
import { processName } from "./process-name.ts";
import type { ServiceContext } from "./service-context.ts";

/** The loops of a composed service. */
export type Running = {
  readonly adapters: Adapters;
  readonly engine: ComposedEngine;
  readonly readModels: ReadModels;
  /** Those that no write waits for. */
  readonly background: ReadModels;
  /** Filled when the gate opens. */
  readonly reactions: RunningReaction[];
  readonly gate: DialGate;
  readonly erasing: ErasureStepsDeps;
  readonly recordings: OpenRecordings;
  readonly rehearsals: OpenRehearsals;
  readonly stopping: AbortController;
  readonly stopDialing: AbortSignal;
};

/** How long a start waits for the gate at most: clients that write right after it should not be refused. */
const READING_PATIENCE_MILLIS = 2_000;

/** Hears opt-outs and policies in every process, from before it dials. */
export async function readFirst(
  { closing }: Pick<ServiceContext, "closing">,
  {
    engine,
    reactions,
    gate,
    stopping,
    stopDialing,
  }: Pick<Running, "engine" | "reactions" | "stopDialing" | "stopping"> & { readonly gate: ReadingGate },
): Promise<void> {
  const begun: Promise<void>[] = [];
  for (const name of READ_FIRST) {
    gate.follow(name, () => {
      const running = engine.reactFirst(name, stopping.signal);
      reactions.push(running);
      begun.push(running.finished);
      return () => running.status().position;
    });
  }
  closing.push(async () => {
    stopping.abort();
    await Promise.all(begun);
  });
  if (gate.reads().length === 0 && gate.waitsFor() !== "dials") return;
  await Promise.race([gate.opened, systemClock.sleep(READING_PATIENCE_MILLIS, stopDialing)]);
}

/** Starts the loops: the read models at once, everything that can lead to a dial when the gate opens. */
export function runEverything(
  { config, closing }: ServiceContext,
  {
    adapters,
    engine,
    readModels,
    background,
    reactions,
    gate,
    erasing,
    recordings,
    rehearsals,
    stopping,
    stopDialing,
  }: Running,
): void {
  const { signal } = stopping;
  const goingOn = [readModels.run(signal), background.run(signal)];
  void gate.opened.then(() => {
    if (signal.aborted || stopDialing.aborted) return;
    goingOn.push(engine.run(signal), runErasures(erasing, signal), rehearsals.run(signal));
    if (config.role === "api") return;
    const processId = processName(config);
    const { retentionDayMillis: dayMillis } = config;
    goingOn.push(runRetention({ ...adapters, ...erasing, ids: systemIds, processId, dayMillis }, signal));
    goingOn.push(recordings.run(signal));
    const { logger } = erasing;
    goingOn.push(runVerifications({ ...adapters, clock: systemClock, logger, processId }, signal));
    const all = [...engine.reactions, erasuresReaction(erasing), recordings.reaction];
    reactions.push(...engine.react(signal, all));
    goingOn.push(...reactions.map(({ finished }) => finished));
    adapters.deliveries.start();
  });
  closing.push(async () => {
    stopping.abort();
    await Promise.allSettled(goingOn);
  });
}

/**
 * Deletes expired rows, and writes the heartbeat, except into a restored database that
 * nobody has accepted yet.
 */
export function keepAlive({ stores: { database }, logger, closing }: ServiceContext, gate: DialGate): void {
  const house = purgeExpired(database.pool, logger);
  let stopAlive = () => {};
  void gate.opened.then(() => {
    stopAlive = writeHeartbeat(database.pool, logger).stop;
  });
  closing.push(house.stop, () => stopAlive());
}
