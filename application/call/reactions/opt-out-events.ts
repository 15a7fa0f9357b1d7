import type { DialIntent } from "../../../domain/admission/requests.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { millisOf } from "../../../domain/shared/instant.ts";
import type { GivenUp } from "../../given-up.ts";
import type { Calls } from "../../log/aggregates.ts";
import { processOrigin } from "../../log/append-events.ts";
import { callStream } from "../../log/stream-names.ts";
import type { Admission } from "../../ports/admission.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { HeardOptOut, OptOuts } from "../../ports/opt-outs.ts";
import { isRefusedForGood } from "../../refused-for-good.ts";
import { createWakeSignal } from "../../wake-signal.ts";

/** Those that wait for dials do not keep the others waiting. */
const AT_ONCE = 100;
const AFTER_FAILURE_MILLIS = 1_000;
const LOOK_AGAIN_MILLIS = 250;
/** An append that began by the call's dialBy is in the log, or refused, after so long. */
const APPENDED_MILLIS = 5_000;

export type OptOutEventsDeps = {
  readonly optOuts: Pick<OptOuts, "due" | "recorded">;
  readonly admission: Pick<Admission, "openIntents">;
  readonly calls: Calls;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly givenUp: GivenUp;
  readonly longestWaitMillis: number;
};

export type OptOutEvents = {
  /** Something may be due. */
  readonly wake: () => void;
  /** Until `stop` aborts; never rejects. */
  readonly run: (stop: AbortSignal) => Promise<void>;
};

/**
 * Appends CallOptedOut for what is listed, after every dial of the number that may not have seen the list
 * (docs/decisions/0131-no-dial-after-an-opt-out.md). What is due is durable, so each start goes on with it;
 * two processes append it once.
 */
export function createOptOutEvents(deps: OptOutEventsDeps): OptOutEvents {
  const { optOuts, clock, logger, longestWaitMillis } = deps;
  const underWay = new Set<CallId>();
  const leftAside = new Set<CallId>();
  let wake = () => {};

  const record = async (heard: HeardOptOut, stop: AbortSignal): Promise<void> => {
    const { callId } = heard;
    try {
      await recordOptOut(deps, heard, stop);
    } catch (error) {
      if (isRefusedForGood(error)) {
        leftAside.add(callId);
        deps.givenUp.add("opt-out-events", { callId }, error);
      } else {
        logger.error({ callId, error }, "an opt-out is not in the log yet; tries again");
        await clock.sleep(AFTER_FAILURE_MILLIS, stop);
      }
    } finally {
      underWay.delete(callId);
      wake();
    }
  };

  const begin = async (stop: AbortSignal): Promise<number> => {
    try {
      const known = underWay.size + leftAside.size;
      for (const heard of await optOuts.due(known + AT_ONCE)) {
        if (underWay.has(heard.callId) || leftAside.has(heard.callId)) continue;
        underWay.add(heard.callId);
        void record(heard, stop);
      }
      return longestWaitMillis;
    } catch (error) {
      logger.error({ error }, "opt-outs that are due cannot be read; tries again");
      return AFTER_FAILURE_MILLIS;
    }
  };

  return {
    wake: () => wake(),
    run: async (stop) => {
      const signal = createWakeSignal(clock, stop);
      wake = signal.wake;
      while (!stop.aborted) await signal.wait(await begin(stop));
    },
  };
}

async function recordOptOut(deps: OptOutEventsDeps, heard: HeardOptOut, stop: AbortSignal): Promise<void> {
  const { callId, owner, by, messageIndex, saidAt } = heard;
  await olderDials(deps, heard, stop);
  if (stop.aborted) return;
  const { calls, clock, optOuts } = deps;
  const command = { type: "RecordOptedOut", by, messageIndex, saidAt, now: clock.now() } as const;
  await calls.handle(callStream(callId), [command], processOrigin("opt-outs", owner, callId));
  await optOuts.recorded(heard);
}

/** Resolves when each dial of the number that took its slot before now has begun, failed, or cannot begin. */
async function olderDials(
  deps: OptOutEventsDeps,
  { owner, phoneNumber }: HeardOptOut,
  stop: AbortSignal,
): Promise<void> {
  const { admission, clock } = deps;
  const since = clock.monotonicMillis();
  let left = await admission.openIntents(owner, phoneNumber);
  while (left.length > 0 && !stop.aborted) {
    const open = await Promise.all(left.map(async (intent) => !(await isOver(deps, intent, since))));
    left = left.filter((_intent, index) => open[index]);
    if (left.length === 0) return;
    await clock.sleep(LOOK_AGAIN_MILLIS, stop);
    // A slot that was given back cannot dial any more.
    const still = new Set((await admission.openIntents(owner, phoneNumber)).map(({ callId }) => callId));
    left = left.filter(({ callId }) => still.has(callId));
  }
}

/** Also by this process's steady clock: the wall clock may have jumped over the append of a dial. */
async function isOver(
  { calls, clock }: OptOutEventsDeps,
  { callId, dialBy }: DialIntent,
  since: number,
): Promise<boolean> {
  const isLate =
    clock.nowMillis() > millisOf(dialBy) + APPENDED_MILLIS &&
    clock.monotonicMillis() >= since + APPENDED_MILLIS;
  if (isLate) return true;
  try {
    const hasBegun = (state: { readonly dialBeganAt: unknown; readonly endedAt: unknown }) =>
      state.dialBeganAt !== null || state.endedAt !== null;
    return await calls.query(callStream(callId), hasBegun, { fresh: true });
  } catch (error) {
    if (!isRefusedForGood(error)) throw error;
    return false; // it cannot be read: its time tells
  }
}
