import { type Instant, millisOf, plusMillis } from "../../domain/shared/instant.ts";
import type { CarrierCall } from "../ports/carrier.ts";
import type { Carriers } from "../ports/carriers.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { RecordingStep, RecordingTask } from "../ports/recordings.ts";
import type { RecordedCalls } from "./copy-limits.ts";
import { carrierOf, StepError } from "./recording-carrier.ts";

/** A carrier tells of a recording some seconds after the call. Later than this it is asked. */
const FIRST_LOOK_MILLIS = 120_000;
/** So long after the end of the call it is asked for the last time. */
const LAST_LOOK_MILLIS = 24 * 3_600_000;

type Deps = {
  readonly carriers: Pick<Carriers, "dialledOn">;
  readonly recorded: RecordedCalls;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
};

export function firstLookAt(endedAt: Instant): Instant {
  return plusMillis(endedAt, FIRST_LOOK_MILLIS);
}

/**
 * A carrier said that a recording would come, and nothing since: it is asked for it. What it has is recorded
 * as if it had told; for what it has not, and when it is silent, it is asked again after as long as has
 * passed since the end of the call. After a day the recording fails with its reason.
 */
export async function lookForRecording(deps: Deps, task: RecordingTask): Promise<RecordingStep> {
  const { recorded, clock, metrics } = deps;
  const { callId, owner } = task;
  const { status, isErased, endedAt, call } = await recorded.told(callId);
  const waiting = { callId, copy: "expected", place: null, atCarrier: true } as const;
  const absent = { callId, copy: "absent", place: null, atCarrier: false, again: null } as const;
  if (isErased) return { ...waiting, copy: "erased", again: { at: clock.now(), problem: null } };
  const again = nextLook(endedAt, clock.now());
  // What is available becomes a recording to be copied by its own event.
  if (status === "available" && again !== null) return { ...waiting, again: { at: again, problem: null } };
  if (status !== "pending") return absent;
  const { recordingRef, problem } = await askFor(deps, task, call);
  if (recordingRef !== null) {
    await recorded.found(callId, owner, call.carrierRef, recordingRef);
    metrics.count("ringfold_recordings_total", { step: "look", result: "done" });
    return { ...waiting, again: { at: again ?? firstLookAt(clock.now()), problem: null } };
  }
  if (again !== null) return { ...waiting, again: { at: again, problem } };
  const reason = `no recording came within 24 hours of the call's end: ${problem ?? "the carrier has none"}`;
  await recorded.fail(callId, owner, reason);
  deps.logger.warn({ callId, owner, problem: reason }, "a recording that was to come has failed");
  metrics.count("ringfold_recordings_total", { step: "look", result: "absent" });
  return absent;
}

/**
 * The carrier's name of a recording that it never told of and that must not exist. null: it has none, and
 * none will come; else it is asked again then. Throws StepError when it does not answer.
 */
export async function lookToDelete(
  deps: Deps,
  task: RecordingTask,
): Promise<{ readonly recordingRef: string } | { readonly again: Instant } | null> {
  const { endedAt, call } = await deps.recorded.told(task.callId);
  const { recordingRef, problem } = await askFor(deps, task, call);
  if (recordingRef !== null) return { recordingRef };
  const again = nextLook(endedAt, deps.clock.now());
  if (again !== null) return { again };
  if (problem !== null && problem !== UNKNOWN) throw new StepError(problem);
  return null;
}

const UNKNOWN = "the carrier does not know the call";

async function askFor(
  deps: Deps,
  task: RecordingTask,
  call: CarrierCall,
): Promise<{ readonly recordingRef: string | null; readonly problem: string | null }> {
  try {
    const found = await (await carrierOf(deps, task)).lookup(call);
    if (found.kind === "found") return { recordingRef: found.recordingRef, problem: null };
    const problem = found.kind === "unavailable" ? `the carrier: ${found.cause}` : UNKNOWN;
    return { recordingRef: null, problem };
  } catch (error) {
    if (error instanceof StepError) return { recordingRef: null, problem: error.message };
    throw error;
  }
}

/** null: the last look is over. */
function nextLook(endedAt: Instant, now: Instant): Instant | null {
  const since = millisOf(now) - millisOf(endedAt);
  if (since >= LAST_LOOK_MILLIS) return null;
  return plusMillis(now, Math.min(Math.max(FIRST_LOOK_MILLIS, since), LAST_LOOK_MILLIS - since));
}
