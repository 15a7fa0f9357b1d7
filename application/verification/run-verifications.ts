import type { VerificationId } from "../../domain/shared/ids.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import {
  type PolicyVerifier,
  type TakenVerification,
  type Verification,
  type Verifications,
  VerifierFailed,
} from "../ports/verifications.ts";
import { repeatUntilStopped } from "../repeating.ts";
import { MOST_VIOLATIONS } from "./verify-policy.ts";

export type RunVerificationsDeps = {
  readonly verifications: Verifications;
  readonly verifier: PolicyVerifier;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly processId: string;
};

/** Each look is a read of an index that is mostly empty. */
const LOOK_MILLIS = 1_000;
const HELD_MILLIS = 15_000;
const RENEWED_MILLIS = 1_000;
/** A log that is away for minutes, or a process that dies of it each time. */
const MOST_BEGUN = 20;

/**
 * Works on verifications, one at a time in this process, until `stop` aborts. One whose process has died is
 * begun again by any other when its time is over.
 */
export async function runVerifications(deps: RunVerificationsDeps, stop: AbortSignal): Promise<void> {
  const { verifications, clock, logger, processId } = deps;
  await repeatUntilStopped(
    {
      signal: stop,
      pause: () => clock.sleep(LOOK_MILLIS, stop),
      onFailure: (error) =>
        logger.warn({ problem: String(error) }, "a verification waits; it is tried again"),
    },
    async () => {
      for (let taken = await verifications.take(processId, HELD_MILLIS); taken !== null; ) {
        await work(deps, taken, stop);
        taken = stop.aborted ? null : await verifications.take(processId, HELD_MILLIS);
      }
    },
  );
}

async function work(deps: RunVerificationsDeps, taken: TakenVerification, stop: AbortSignal): Promise<void> {
  const { verifications, verifier, processId } = deps;
  const { id } = taken;
  if (taken.begun > MOST_BEGUN) {
    const problem = `It was begun ${MOST_BEGUN} times and never ended: name a shorter time, or ask again`;
    await verifications.finish(id, processId, { problem });
    return;
  }
  const held = holding(deps, id, stop);
  let place = 0;
  let stored = Promise.resolve();
  try {
    const result = await verifier.verify(
      taken,
      {
        told: held.tell,
        found: (violations) => {
          const kept = violations.slice(0, MOST_VIOLATIONS - place);
          const at = place;
          place += kept.length;
          stored = stored.then(() => verifications.addViolations(id, at, kept));
          stored.catch(() => undefined);
        },
      },
      held.signal,
    );
    await stored;
    await verifications.finish(id, processId, result);
  } catch (error) {
    if (!(error instanceof VerifierFailed)) throw error;
    await verifications.finish(id, processId, { problem: error.message });
  } finally {
    await held.end();
  }
}

type Told = Pick<Verification, "progress" | "dials">;

/** Renews the hold while it is worked on; its signal aborts when another process has it. */
function holding(
  { verifications, clock, processId }: RunVerificationsDeps,
  id: VerificationId,
  stop: AbortSignal,
) {
  const over = new AbortController();
  const lost = new AbortController();
  let latest: Told = { progress: 0, dials: 0 };
  const renewing = repeatUntilStopped(
    {
      signal: over.signal,
      pause: () => clock.sleep(RENEWED_MILLIS, over.signal),
      // A database that is away: the work goes on until another process has it.
      onFailure: () => undefined,
    },
    async () => {
      if (!(await verifications.hold(id, processId, HELD_MILLIS, latest))) lost.abort();
    },
  );
  return {
    signal: AbortSignal.any([stop, lost.signal]),
    tell: (told: Told) => {
      latest = told;
    },
    end: async () => {
      over.abort();
      await renewing;
    },
  };
}
