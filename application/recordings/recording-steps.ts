import { plusMillis } from "../../domain/shared/instant.ts";
import type { Carriers } from "../ports/carriers.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { RecordingFiles, RecordingStep, Recordings, RecordingTask } from "../ports/recordings.ts";
import type { SubjectKey, SubjectKeys } from "../ports/subject-keys.ts";
import { bounded, diskProblem, type RecordedCalls, RecordingTooLargeError } from "./copy-limits.ts";
import { lookForRecording, lookToDelete } from "./expected-recordings.ts";
import { carrierOf, StepError } from "./recording-carrier.ts";

export type RecordingStepsDeps = {
  readonly recordings: Recordings;
  readonly files: RecordingFiles;
  readonly keys: SubjectKeys;
  readonly carriers: Pick<Carriers, "dialledOn">;
  readonly recorded: RecordedCalls;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
};

const FIRST_PAUSE_MILLIS = 1_000;
const LONGEST_PAUSE_MILLIS = 3_600_000;

/**
 * The next step of a recording: one that was to come is looked for, one that is there is copied, and once the
 * copy is safe it is deleted at the carrier. Failures are retried with growing pauses.
 */
export async function takeStep(
  deps: RecordingStepsDeps,
  task: RecordingTask,
  key: SubjectKey | undefined,
): Promise<RecordingStep> {
  const { copy, recordingRef } = task;
  const kind = copy === "waiting" ? "copy" : "delete";
  try {
    if (copy === "expected") return await lookForRecording(deps, task);
    const step =
      kind === "copy" && recordingRef !== null
        ? await copyOnce(deps, { ...task, recordingRef }, key)
        : await deleteOnce(deps, task);
    // What stands in a segment is counted when it is on the disk.
    if (step.place === null) countStep(deps, kind, kind === "copy" ? step.copy : "done");
    return step;
  } catch (error) {
    if (error instanceof RecordingTooLargeError) return refuse(deps, task, error);
    return failedStep(deps, task, error);
  }
}

/** Those that were written to a segment, when it is on the disk; if it is not, they have failed. */
export async function durableSteps(
  deps: RecordingStepsDeps,
  taken: readonly { readonly task: RecordingTask; readonly step: RecordingStep }[],
): Promise<readonly RecordingStep[]> {
  const inSegments = taken.filter(({ step }) => step.place !== null);
  if (inSegments.length === 0) return taken.map(({ step }) => step);
  try {
    await deps.files.flush();
    for (const { step } of inSegments) countStep(deps, "copy", step.copy);
    return taken.map(({ step }) => step);
  } catch (error) {
    return taken.map(({ task, step }) => (step.place === null ? step : failedStep(deps, task, error)));
  }
}

function countStep({ metrics }: RecordingStepsDeps, step: "copy" | "delete", result: string): void {
  metrics.count("ringfold_recordings_total", { step, result });
}

function failedStep(deps: RecordingStepsDeps, task: RecordingTask, error: unknown): RecordingStep {
  const { callId, copy, tries } = task;
  const kind = copy === "waiting" ? "copy" : "delete";
  const problem = problemOf(error);
  const pause = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS * 2 ** Math.min(tries, 20));
  deps.logger.warn(
    { callId, problem, tries: tries + 1 },
    kind === "copy"
      ? "a recording could not be copied; it stays at the carrier and is tried again"
      : "a recording could not be deleted at the carrier; it is tried again",
  );
  countStep(deps, kind, "failed");
  const again = { at: plusMillis(deps.clock.now(), pause), problem };
  return { callId, copy, place: null, atCarrier: true, again };
}

/** It would be as large again: it is not asked for any more. */
async function refuse(
  deps: RecordingStepsDeps,
  { callId, owner }: RecordingTask,
  { message: problem }: RecordingTooLargeError,
): Promise<RecordingStep> {
  await deps.recorded.fail(callId, owner, problem);
  deps.logger.error({ callId, owner, problem }, "a recording is not copied; it stays at the carrier");
  countStep(deps, "copy", "refused");
  return { callId, copy: "refused", place: null, atCarrier: true, again: null };
}

function problemOf(error: unknown): string {
  if (error instanceof StepError) return error.message;
  if (error instanceof Error && "code" in error && error.code === "ENOSPC")
    return "the disk of RECORDINGS_DIR is full";
  return String(error);
}

async function copyOnce(
  deps: RecordingStepsDeps,
  task: RecordingTask & { readonly recordingRef: string },
  key: SubjectKey | undefined,
): Promise<RecordingStep> {
  const { callId, recordingRef } = task;
  const copied = { callId, copy: "copied", place: null, atCarrier: true, again: null } as const;
  if (key === undefined) throw new StepError(`no key of ${callId}`);
  if (key.kind === "unusable")
    throw new StepError(`the key of ${callId} does not open with this SECRETS_KEY`);
  if (key.kind === "erased") return { ...copied, copy: "erased" };
  const mayBeThere = task.place !== null || task.tries > 0;
  if (mayBeThere && (await isThere(deps, task, key.key))) return copied;
  const full = await diskProblem(deps.files);
  if (full !== null) throw new StepError(full);
  const carrier = await carrierOf(deps, task);
  const recording = await carrier.recording(recordingRef);
  if (recording.kind === "unavailable") throw new StepError(`the carrier: ${recording.cause}`);
  if (recording.kind === "absent") {
    if (!mayBeThere && (await isThere(deps, task, key.key))) return copied;
    deps.logger.error({ callId }, "the carrier has a recording no longer that it told of");
    return { ...copied, copy: "absent", atCarrier: false };
  }
  const bytes = bounded(deps, () => deps.recorded.maxDurationSeconds(callId), recording.bytes);
  return { ...copied, place: await deps.files.write(callId, key.key, recording.contentType, bytes) };
}

/**
 * It was written by a process that died right then, or is newer than a restored database. What stands in a
 * segment may be cut by the end of that process: all of it is read.
 */
async function isThere(
  { files }: RecordingStepsDeps,
  { callId, place }: RecordingTask,
  key: Uint8Array,
): Promise<boolean> {
  const found = await files.open({ callId, place }, key);
  if (found.kind !== "found") return false;
  const { recording } = found;
  if (place === null) {
    await recording.close();
    return true;
  }
  return Array.fromAsync(recording.read(0, recording.bytes - 1), () => null).then(
    () => true,
    () => false,
  );
}

async function deleteOnce(deps: RecordingStepsDeps, task: RecordingTask): Promise<RecordingStep> {
  const { callId, copy } = task;
  // A writer that was killed may have finished after the erasure.
  if (copy === "erased") await deps.files.remove([{ callId, place: task.place }]);
  const { recordingRef } = task;
  const done = { callId, copy, place: null, atCarrier: false, again: null };
  const found = recordingRef === null ? await lookToDelete(deps, task) : { recordingRef };
  if (found === null) return done;
  if ("again" in found) return { ...done, atCarrier: true, again: { at: found.again, problem: null } };
  const carrier = await carrierOf(deps, task);
  if ((await carrier.deleteRecording(found.recordingRef)) === "unavailable")
    throw new StepError("the carrier did not delete it");
  return done;
}
