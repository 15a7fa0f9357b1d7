import type { CallId } from "../../domain/shared/ids.ts";
import { plusMillis } from "../../domain/shared/instant.ts";
import type { Carriers } from "../ports/carriers.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { RecordingFiles, RecordingStep, Recordings, RecordingTask } from "../ports/recordings.ts";
import type { SubjectKey, SubjectKeys } from "../ports/subject-keys.ts";
import {
  bounded,
  diskProblem,
  mostBytes,
  type RecordedCalls,
  RecordingTooLargeError,
} from "./copy-limits.ts";
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
  const { callId, copy, recordingRef } = task;
  const kind = copy === "waiting" ? "copy" : "delete";
  try {
    if (copy === "expected") return await lookForRecording(deps, task);
    const step =
      kind === "copy" && recordingRef !== null
        ? await copyOnce(deps, { ...task, recordingRef }, key)
        : await deleteOnce(deps, task);
    deps.metrics.count("ringfold_recordings_total", {
      step: kind,
      result: kind === "copy" ? step.copy : "done",
    });
    return step;
  } catch (error) {
    if (error instanceof RecordingTooLargeError) return refuse(deps, task, error);
    const problem = problemOf(error);
    const pause = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS * 2 ** Math.min(task.tries, 20));
    deps.logger.warn(
      { callId, problem, tries: task.tries + 1 },
      kind === "copy"
        ? "a recording could not be copied; it stays at the carrier and is tried again"
        : "a recording could not be deleted at the carrier; it is tried again",
    );
    deps.metrics.count("ringfold_recordings_total", { step: kind, result: "failed" });
    return { callId, copy, atCarrier: true, again: { at: plusMillis(deps.clock.now(), pause), problem } };
  }
}

/** It would be as large again: it is not asked for any more. */
async function refuse(
  { recorded, logger, metrics }: RecordingStepsDeps,
  { callId, owner }: RecordingTask,
  { message: problem }: RecordingTooLargeError,
): Promise<RecordingStep> {
  await recorded.fail(callId, owner, problem);
  logger.error({ callId, owner, problem }, "a recording is not copied; it stays at the carrier");
  metrics.count("ringfold_recordings_total", { step: "copy", result: "refused" });
  return { callId, copy: "refused", atCarrier: true, again: null };
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
  if (key === undefined) throw new StepError(`no key of ${callId}`);
  if (key.kind === "unusable")
    throw new StepError(`the key of ${callId} does not open with this SECRETS_KEY`);
  if (key.kind === "erased") return { callId, copy: "erased", atCarrier: true, again: null };
  if (await isThere(deps, callId, key.key)) return { callId, copy: "copied", atCarrier: true, again: null };
  const full = await diskProblem(deps.files);
  if (full !== null) throw new StepError(full);
  const most = mostBytes(await deps.recorded.maxDurationSeconds(callId));
  const carrier = await carrierOf(deps, task);
  const recording = await carrier.recording(recordingRef);
  if (recording.kind === "unavailable") throw new StepError(`the carrier: ${recording.cause}`);
  if (recording.kind === "absent") {
    deps.logger.error({ callId }, "the carrier has a recording no longer that it told of");
    return { callId, copy: "absent", atCarrier: false, again: null };
  }
  await deps.files.write(callId, key.key, recording.contentType, bounded(deps, most, recording.bytes));
  return { callId, copy: "copied", atCarrier: true, again: null };
}

/** The file was written by a process that died right then, or is newer than a restored database. */
async function isThere({ files }: RecordingStepsDeps, callId: CallId, key: Uint8Array): Promise<boolean> {
  const found = await files.open(callId, key);
  if (found.kind === "found") await found.recording.close();
  return found.kind === "found";
}

async function deleteOnce(deps: RecordingStepsDeps, task: RecordingTask): Promise<RecordingStep> {
  const { callId, copy } = task;
  // A writer that was killed may have finished after the erasure.
  if (copy === "erased") await deps.files.remove([callId]);
  const { recordingRef } = task;
  const found = recordingRef === null ? await lookToDelete(deps, task) : { recordingRef };
  if (found === null) return { callId, copy, atCarrier: false, again: null };
  if ("again" in found) return { callId, copy, atCarrier: true, again: { at: found.again, problem: null } };
  const carrier = await carrierOf(deps, task);
  if ((await carrier.deleteRecording(found.recordingRef)) === "unavailable")
    throw new StepError("the carrier did not delete it");
  return { callId, copy, atCarrier: false, again: null };
}
