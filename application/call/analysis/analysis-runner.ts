import type { AnalysisId } from "../../../domain/call/events.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import { millisOf, plusMillis } from "../../../domain/shared/instant.ts";
import type { Analyses, DueAnalysis } from "../../ports/analyses.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import { createWakeSignal } from "../../wake-signal.ts";
import { type AttemptDeps, attemptAnalysis, CLAIMED_MILLIS } from "./analysis-attempt.ts";

/** Of one process: an analysis must not take the models from conversations. */
const AT_ONCE = 4;
const AFTER_FAILURE_MILLIS = 1_000;
/** Those that end at nearly the same time make room together: their successors then share their writes. */
const GATHERED_MILLIS = 10;
/** An owner whose tokens are used up: the plan may be changed before the day ends. */
const LOOK_AT_TOKENS_MILLIS = 60_000;

export type AnalysisRunnerDeps = Omit<AttemptDeps, "analyses"> & {
  readonly analyses: Analyses;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly longestWaitMillis: number;
};

export type AnalysisRunner = {
  /** Something may be due. */
  readonly wake: () => void;
  /** Until `stop` aborts; then tries under way are given back. Never rejects. */
  readonly run: (stop: AbortSignal) => Promise<void>;
};

/**
 * Analyses calls that are over: at most four at once in this process, of all owners by turns. The log says
 * what is wanted and what is answered, so several processes, and each start, go on with whatever is due.
 */
export function createAnalysisRunner(deps: AnalysisRunnerDeps): AnalysisRunner {
  const { analyses, clock, logger, longestWaitMillis } = deps;
  const underWay = new Map<AnalysisId, { readonly owner: OwnerId; readonly over: Promise<void> }>();
  const waiting = new Map<OwnerId, number>();
  let wake = () => {};

  const attempt = async (due: DueAnalysis, stop: AbortSignal): Promise<void> => {
    try {
      if ((await attemptAnalysis(deps, due, stop)) === "no_tokens")
        waiting.set(due.owner, clock.monotonicMillis() + LOOK_AT_TOKENS_MILLIS);
    } catch (error) {
      logger.error({ callId: due.callId, error }, "an analysis was interrupted; it is tried again");
    } finally {
      underWay.delete(due.analysisId);
      wake();
    }
  };

  const begin = async (stop: AbortSignal): Promise<number> => {
    const limit = AT_ONCE - underWay.size;
    if (limit === 0) return longestWaitMillis;
    try {
      const now = clock.now();
      const except = ownersThatWait(waiting, clock.monotonicMillis());
      const claimed = await analyses.claim({
        limit,
        now,
        until: plusMillis(now, CLAIMED_MILLIS),
        underWay: countByOwner([...underWay.values()].map(({ owner }) => owner)),
        except,
      });
      for (const due of claimed) underWay.set(due.analysisId, { owner: due.owner, over: attempt(due, stop) });
      if (claimed.length === limit) return longestWaitMillis;
      return Math.min(longestWaitMillis, await untilNext(deps, waiting, except));
    } catch (error) {
      logger.error({ error }, "analyses that are due cannot be read; tries again");
      return AFTER_FAILURE_MILLIS;
    }
  };

  return {
    wake: () => wake(),
    run: async (stop) => {
      const signal = createWakeSignal(clock, stop);
      wake = signal.wake;
      while (!stop.aborted) {
        await signal.wait(await begin(stop));
        if (underWay.size > 0) await clock.sleep(GATHERED_MILLIS, stop);
      }
      await Promise.all([...underWay.values()].map(({ over }) => over));
    },
  };
}

function ownersThatWait(waiting: Map<OwnerId, number>, now: number): ReadonlySet<OwnerId> {
  for (const [owner, until] of waiting) if (until <= now) waiting.delete(owner);
  return new Set(waiting.keys());
}

function countByOwner(owners: readonly OwnerId[]): ReadonlyMap<OwnerId, number> {
  const counts = new Map<OwnerId, number>();
  for (const owner of owners) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  return counts;
}

/** At least a moment: what another process has claimed meanwhile may look due. */
async function untilNext(
  { analyses, clock }: Pick<AnalysisRunnerDeps, "analyses" | "clock">,
  waiting: ReadonlyMap<OwnerId, number>,
  except: ReadonlySet<OwnerId>,
): Promise<number> {
  const next = await analyses.nextDue(except);
  const tokens = Math.min(...waiting.values()) - clock.monotonicMillis();
  const due = next === null ? Number.POSITIVE_INFINITY : millisOf(next) - clock.nowMillis();
  return Math.max(AFTER_FAILURE_MILLIS / 10, Math.min(due, tokens));
}
