import { isLive } from "../../domain/call/deadlines.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import { type Instant, instantFromMillis, millisOf } from "../../domain/shared/instant.ts";
import { callStream } from "../log/stream-names.ts";
import type { StopSignal } from "../ports/clock.ts";
import type { RunningErasure } from "../ports/erasures.ts";
import type { Ids } from "../ports/ids.ts";
import type { Leases } from "../ports/leases.ts";
import type { Retention, RetentionPlace } from "../ports/retention.ts";
import { isRefusedForGood } from "../refused-for-good.ts";
import { repeatUntilStopped } from "../repeating.ts";
import { type ErasureStepsDeps, runErasure } from "./erasure-steps.ts";

export type RetentionDeps = ErasureStepsDeps & {
  readonly retention: Retention;
  readonly leases: Pick<Leases, "acquire" | "release">;
  readonly ids: Pick<Ids, "next">;
  /** Of this process. */
  readonly processId: string;
  /** Length of a day of retention in ms. */
  readonly dayMillis: number;
};

const LEASE = "retention";
const LEASE_MILLIS = 90_000;
const LONGEST_ROUND_MILLIS = 60_000;
const SHORTEST_ROUND_MILLIS = 500;
/** Calls in one erasure. */
const STEP = 100;
const AT_ONCE = 8;
/**
 * Between two steps it pauses as long as the last one took, so that others have the stores at
 * least half of the time.
 */
const SHORTEST_REST_MILLIS = 50;
const LONGEST_REST_MILLIS = 5_000;
/** No call lasts longer, and no key exists longer before its call. */
const LONGEST_CALL_MILLIS = 86_400_000;

/**
 * Erases the texts of calls that ended longer ago than their owner's retention, and deletes rehearsals whose
 * time is over, until `stop` aborts: one process at a time, in small steps.
 */
export async function runRetention(deps: RetentionDeps, stop: StopSignal): Promise<void> {
  const { clock, logger, dayMillis } = deps;
  const pauseMillis = Math.min(LONGEST_ROUND_MILLIS, Math.max(SHORTEST_ROUND_MILLIS, dayMillis / 24));
  const pause = () => clock.sleep(pauseMillis, stop);
  const onFailure = (error: unknown) =>
    logger.warn({ problem: String(error) }, "words whose time is over were not erased; tried again");
  await repeatUntilStopped({ signal: stop, pause, onFailure }, () => retentionRound(deps, stop));
  await deps.leases.release(LEASE, deps.processId).catch(() => undefined);
}

/** All that is due now; owners take turns. */
export async function retentionRound(deps: RetentionDeps, stop: StopSignal): Promise<void> {
  const mine = () => deps.leases.acquire(LEASE, deps.processId, LEASE_MILLIS);
  if (!(await mine())) return;
  await deps.retention.deleteRehearsals(deps.clock.now(), deps.dayMillis);
  if (!(await finishRunning(deps))) return;
  let turns = (await deps.retention.owners()).map((kept): Turn => ({ ...kept, after: null }));
  while (turns.length > 0) {
    const left: Turn[] = [];
    for (const turn of turns) {
      if (stop.aborted || !(await mine())) return;
      const began = deps.clock.monotonicMillis();
      const after = await step(deps, turn);
      if (after !== null) left.push({ ...turn, after });
      await deps.clock.sleep(restAfter(deps.clock.monotonicMillis() - began), stop);
    }
    turns = left;
  }
}

type Turn = {
  readonly owner: OwnerId;
  readonly contentDays: number;
  readonly after: RetentionPlace | null;
};

function restAfter(millis: number): number {
  return Math.min(LONGEST_REST_MILLIS, Math.max(SHORTEST_REST_MILLIS, millis));
}

/** False: one of them is not done yet, so nothing new is begun. */
async function finishRunning(deps: RetentionDeps): Promise<boolean> {
  for (const erasure of await deps.erasures.running())
    if (erasure.kind === "retention") await runErasure(deps, erasure, askerOf(erasure));
  return (await deps.erasures.running()).every(({ kind }) => kind !== "retention");
}

function askerOf({ owner, id }: Pick<RunningErasure, "owner" | "id">) {
  return { owner, actor: "process:retention", correlationId: id };
}

/** The next calls of this owner; returns where to go on, null when that was all. */
async function step(
  deps: RetentionDeps,
  { owner, contentDays, after }: Turn,
): Promise<RetentionPlace | null> {
  const { clock, erasures, retention, ids } = deps;
  const now = clock.nowMillis();
  const before = instantFromMillis(Math.round(now - contentDays * deps.dayMillis));
  const { callIds, next } = await retention.begunBefore(owner, before, { limit: STEP, after });
  const due = await dueOf(deps, callIds, before);
  if (due.length > 0) {
    const erasure = { id: ids.next("ers"), owner, kind: "retention" } as const;
    const recordings = due.filter(({ recorded }) => recorded).length;
    const named = { callId: null, phoneNumber: null, recordings, createdAt: clock.now() };
    const dueIds = due.map(({ callId }) => callId);
    await erasures.begin({ ...erasure, ...named }, dueIds);
    await runErasure(deps, { ...erasure, callIds: dueIds }, askerOf(erasure));
  }
  return next;
}

type Due = { readonly callId: CallId; readonly recorded: boolean };

async function dueOf(
  deps: RetentionDeps,
  callIds: readonly CallId[],
  before: Instant,
): Promise<readonly Due[]> {
  const due: Due[] = [];
  for (let from = 0; from < callIds.length; from += AT_ONCE) {
    const some = callIds.slice(from, from + AT_ONCE);
    const judged = await Promise.all(some.map((callId) => judge(deps, callId, before)));
    due.push(...judged.filter((one) => one !== null));
  }
  return due;
}

/**
 * null: not due. A call that is not in the log, or cannot be read, is judged by the age of
 * its key, with a margin.
 */
async function judge(deps: RetentionDeps, callId: CallId, before: Instant): Promise<Due | null> {
  try {
    return await deps.calls.query(callStream(callId), (state) => {
      if (isLive(state)) return null;
      if (state.endedAt === null) return isOld(deps, before) ? { callId, recorded: false } : null;
      const recorded = state.recordingStatus === "available" && !state.contentErased;
      return millisOf(state.endedAt) < millisOf(before) ? { callId, recorded } : null;
    });
  } catch (error) {
    if (!isRefusedForGood(error)) throw error;
    return isOld(deps, before) ? { callId, recorded: false } : null;
  }
}

/** With a key older than this, the call has ended or never began. */
function isOld({ clock }: RetentionDeps, before: Instant): boolean {
  return clock.nowMillis() - millisOf(before) >= LONGEST_CALL_MILLIS;
}
