import { inTurn } from "../log/in-turn.ts";
import type { StopSignal } from "../ports/clock.ts";
import type { ProcessorTurns } from "../ports/processor-turns.ts";
import type { RecordingStep, RecordingTask } from "../ports/recordings.ts";
import type { SubjectKey } from "../ports/subject-keys.ts";
import { repeatUntilStopped } from "../repeating.ts";
import { recentDisk } from "./copy-limits.ts";
import { durableSteps, type RecordingStepsDeps, takeStep } from "./recording-steps.ts";
import {
  giveBackSegments,
  indexSegments,
  placeUnknown,
  type SegmentUpkeepDeps,
  type UnknownRecordings,
} from "./segment-upkeep.ts";

type Deps = RecordingStepsDeps & SegmentUpkeepDeps & { readonly turns: ProcessorTurns };
type RoundDeps = RecordingStepsDeps &
  Pick<SegmentUpkeepDeps, "segmentIndex" | "segments"> & { readonly unknown: UnknownRecordings };

const ROUND_MILLIS = 500;
const AFTER_FAILURE_MILLIS = 5_000;
/** Recordings in a round, and how many of them at once. */
const ROUND = 64;
const AT_ONCE = 4;
/** A slow carrier of an owner holds no more; with the bound of each that is far below 2 GB. */
const AT_ONCE_OF_AN_OWNER = 2;
const BACKLOG_EVERY_MILLIS = 15_000;
const GIVE_BACK_EVERY_MILLIS = 3_600_000;

/** Copies recordings and deletes them at their carriers, in one process at a time, until `stop` aborts. */
export async function runRecordings(deps: Deps, stop: AbortSignal): Promise<void> {
  const { clock, logger } = deps;
  const pause = () => clock.sleep(AFTER_FAILURE_MILLIS, stop);
  const onFailure = (error: unknown) =>
    logger.warn({ problem: String(error) }, "recordings cannot be looked for; tried again");
  const meanwhile = async () => undefined;
  await repeatUntilStopped({ signal: stop, pause, onFailure }, () =>
    inTurn(deps, "recording-copies", stop, { work: (signal) => workThrough(deps, signal), meanwhile }),
  );
}

async function workThrough(given: Deps, stop: StopSignal): Promise<void> {
  const deps = { ...given, files: { ...given.files, disk: recentDisk(given) } };
  let reportedAt = Number.NEGATIVE_INFINITY;
  let givenBackAt = Number.NEGATIVE_INFINITY;
  const unknown = await indexSegments(deps);
  while (!stop.aborted) {
    const taken = await recordingsRound({ ...deps, unknown }, stop);
    const now = deps.clock.monotonicMillis();
    if (now - reportedAt > BACKLOG_EVERY_MILLIS) {
      await tellBacklog(deps);
      reportedAt = now;
    }
    if (now - givenBackAt > GIVE_BACK_EVERY_MILLIS) {
      givenBackAt = now;
      await giveBack(deps, stop);
    }
    if (taken < ROUND) await deps.clock.sleep(ROUND_MILLIS, stop);
  }
}

async function giveBack(deps: Deps, stop: StopSignal): Promise<void> {
  await giveBackSegments(deps, stop).catch((error: unknown) =>
    deps.logger.warn({ problem: String(error) }, "the space of erased recordings was not given back"),
  );
}

/** Everything that is due, up to one round; returns how much that was. */
export async function recordingsRound(deps: RoundDeps, stop: StopSignal): Promise<number> {
  const tasks = await placeUnknown(deps, deps.unknown, await deps.recordings.due(ROUND));
  const toCopy = tasks.filter(({ copy }) => copy === "waiting").map(({ callId }) => callId);
  const keys = toCopy.length === 0 ? new Map<string, SubjectKey>() : await deps.keys.of(toCopy);
  const taken: { task: RecordingTask; step: RecordingStep }[] = [];
  const waiting = [...tasks];
  const underWay = new Set<RecordingTask>();
  const isFree = ({ owner }: RecordingTask): boolean =>
    [...underWay].filter((task) => task.owner === owner).length < AT_ONCE_OF_AN_OWNER;
  const next = (): RecordingTask | undefined => {
    const index = waiting.findIndex(isFree);
    return index === -1 || stop.aborted ? undefined : waiting.splice(index, 1)[0];
  };
  const worker = async (): Promise<void> => {
    for (let task = next(); task !== undefined; task = next()) {
      underWay.add(task);
      taken.push({ task, step: await takeStep(deps, task, keys.get(task.callId)) });
      underWay.delete(task);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await finish(deps, await durableSteps(deps, taken));
  return tasks.length;
}

async function finish(
  { recordings, files }: RecordingStepsDeps,
  steps: readonly RecordingStep[],
): Promise<void> {
  const erased = await recordings.stepped(steps);
  await files.remove(steps.filter(({ callId }) => erased.has(callId)));
}

async function tellBacklog({ recordings, files, metrics }: RecordingStepsDeps): Promise<void> {
  metrics.gauges("ringfold_recordings_disk_free_bytes", [
    { labels: {}, value: (await files.disk()).freeBytes },
  ]);
  const { toCopy, toDelete } = await recordings.backlog();
  metrics.gauges("ringfold_recordings_waiting", [
    { labels: { step: "copy" }, value: toCopy },
    { labels: { step: "delete" }, value: toDelete },
  ]);
}
