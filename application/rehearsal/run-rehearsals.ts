import type { OwnerId, RunId } from "../../domain/shared/ids.ts";
import { type ModelTokensDeps, modelTokensUsedUp } from "../model-tokens.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { PlayedRun, RunToPlay } from "../ports/rehearsal-run.ts";
import type { Rehearsals, TakenRun } from "../ports/rehearsals.ts";
import { repeatUntilStopped, retryUntilDone } from "../repeating.ts";
import { createWakeSignal } from "../wake-signal.ts";
import { notPlayed } from "./play-run.ts";
import { createTurnGates, MOST_RUNS, type TurnGate, type TurnGateDeps, type TurnGates } from "./turn-gate.ts";

export type RunRehearsalsDeps = ModelTokensDeps &
  Omit<TurnGateDeps, "clock"> & {
    readonly rehearsals: Pick<Rehearsals, "take" | "hold" | "giveBack" | "finish" | "waitForTokens">;
    /** Resolves soon after `stop` aborts, with what it has come to. Never rejects for what a model does. */
    readonly play: (gate: TurnGate, run: RunToPlay, stop: AbortSignal) => Promise<PlayedRun>;
    readonly clock: Clock;
    readonly logger: Logger;
    readonly metrics: Metrics;
    readonly processId: string;
  };

/** Each look is a read of an index that is mostly empty. */
const LOOK_MILLIS = 1_000;
const HELD_MILLIS = 15_000;
const RENEWED_MILLIS = 2_000;
/** With those that stand at a connection whose server asked to wait. */
const MOST_HELD = 40;
const MOST_OF_OWNER = 4;
/** A process that dies of it each time. */
const MOST_BEGUN = 3;
/** How long it is believed that an owner has tokens, or has none. */
const TOKENS_FRESH_MILLIS = 1_000;
const TOKENS_WAIT_MILLIS = 15_000;
const PAUSES = { first: 200, longest: 5_000 };

type Worker = RunRehearsalsDeps & {
  readonly gates: TurnGates;
  readonly tokens: Tokens;
  readonly stop: AbortSignal;
};

/**
 * Plays runs of rehearsals, up to ten at once in this process, until `stop` aborts; those in progress are
 * given back then. One that stands at a throttled connection leaves its place to another. One whose process
 * has died is begun again by any other when its time is over.
 */
export async function runRehearsals(deps: RunRehearsalsDeps, stop: AbortSignal): Promise<void> {
  const worker = { ...deps, gates: createTurnGates(deps), tokens: createTokens(deps), stop };
  const playing = new Map<RunId, Promise<void>>();
  const { wake, wait } = createWakeSignal(deps.clock, stop);
  await repeatUntilStopped(
    {
      signal: stop,
      pause: () => wait(LOOK_MILLIS),
      onFailure: (error) => deps.logger.warn({ problem: String(error) }, "rehearsals wait; tried again"),
    },
    async () => {
      await worker.tokens.lookAgain();
      const hasRoom = () =>
        playing.size - worker.gates.standing() < MOST_RUNS && playing.size < MOST_HELD && !stop.aborted;
      while (hasRoom()) {
        const taken = await takeNext(worker);
        if (taken === null || playing.has(taken.runId)) return;
        const played = playHeld(worker, taken).finally(() => {
          playing.delete(taken.runId);
          wake();
        });
        playing.set(taken.runId, played);
      }
    },
  );
  await Promise.all(playing.values());
}

/** null: nothing can be played now. */
async function takeNext({ rehearsals, gates, tokens, processId }: Worker): Promise<TakenRun | null> {
  for (;;) {
    const taken = await rehearsals.take({
      holder: processId,
      ttlMillis: HELD_MILLIS,
      mostOfOwner: MOST_OF_OWNER,
      notOwners: tokens.withoutAny(),
      notConnections: gates.closed(),
    });
    if (taken === null || (await tokens.has(taken.owner))) return taken;
    await rehearsals.giveBack(taken, processId, NOTHING_USED);
  }
}

const NOTHING_USED = { inputTokens: 0, outputTokens: 0 };

/** Never rejects: what could not be stored is played again when its time is over. */
async function playHeld(worker: Worker, taken: TakenRun): Promise<void> {
  const { rehearsals, clock, logger, metrics, processId, stop } = worker;
  const { runId } = taken;
  const held = holding(worker, runId);
  try {
    const played = await playOnce(worker, taken, held.signal);
    const { inputTokens, outputTokens, status } = played;
    metrics.count("ringfold_rehearsal_tokens_total", { direction: "input" }, inputTokens);
    metrics.count("ringfold_rehearsal_tokens_total", { direction: "output" }, outputTokens);
    if (stop.aborted) {
      await rehearsals.giveBack(taken, processId, { inputTokens, outputTokens });
      return;
    }
    if (!held.signal.aborted) metrics.count("ringfold_rehearsal_runs_total", { status });
    const onFailure = (error: unknown) =>
      logger.warn({ runId, problem: String(error) }, "a run of a rehearsal cannot be stored; tried again");
    const storing = { clock, pauses: PAUSES, signal: stop, onFailure };
    await retryUntilDone(storing, () => rehearsals.finish(taken, processId, played));
  } catch (error) {
    logger.warn({ runId, problem: String(error) }, "a run of a rehearsal was not given back");
  } finally {
    await held.end();
  }
}

async function playOnce(worker: Worker, taken: TakenRun, signal: AbortSignal): Promise<PlayedRun> {
  const { runId, begun, words, connectionIds } = taken;
  if (begun > MOST_BEGUN)
    return notPlayed(`gave_up: it was begun ${MOST_BEGUN} times, and its process ended each time`);
  if (words === null) return notPlayed("Its words are erased");
  const gate = worker.gates.enter(connectionIds);
  try {
    return await worker.play(gate, { ...taken, ...words }, signal);
  } catch (error) {
    worker.logger.error({ runId, error }, "a run of a rehearsal broke off");
    return notPlayed("It broke off for a fault of this service, which its log names");
  } finally {
    gate.leave();
  }
}

/** Renews the hold while it is played; its signal aborts when it was cancelled, or another process has it. */
function holding({ rehearsals, clock, processId, stop }: Worker, runId: RunId) {
  const over = new AbortController();
  const lost = new AbortController();
  const renewing = repeatUntilStopped(
    {
      signal: over.signal,
      pause: () => clock.sleep(RENEWED_MILLIS, over.signal),
      // A database that is away: it is played on until another process has it.
      onFailure: () => undefined,
    },
    async () => {
      if (!(await rehearsals.hold(runId, processId, HELD_MILLIS))) lost.abort();
    },
  );
  return {
    signal: AbortSignal.any([stop, lost.signal]),
    end: async () => {
      over.abort();
      await renewing;
    },
  };
}

type Tokens = ReturnType<typeof createTokens>;

/** Who may use tokens of their plan. Rehearsals of others wait, and are looked at again every 15 s. */
function createTokens(deps: RunRehearsalsDeps) {
  const { rehearsals, clock } = deps;
  const judged = new Map<OwnerId, { readonly hasSome: boolean; readonly until: number }>();
  const judge = async (owner: OwnerId): Promise<boolean> => {
    const hasSome = !(await modelTokensUsedUp(deps, owner));
    await rehearsals.waitForTokens(owner, !hasSome, clock.now());
    const until = clock.monotonicMillis() + (hasSome ? TOKENS_FRESH_MILLIS : TOKENS_WAIT_MILLIS);
    judged.set(owner, { hasSome, until });
    return hasSome;
  };
  const isFresh = (owner: OwnerId) => (judged.get(owner)?.until ?? 0) > clock.monotonicMillis();
  return {
    has: async (owner: OwnerId) => (isFresh(owner) ? judged.get(owner)?.hasSome === true : judge(owner)),
    withoutAny: () => [...judged].flatMap(([owner, { hasSome }]) => (hasSome ? [] : [owner])),
    lookAgain: async () => {
      for (const [owner, { hasSome }] of judged) {
        if (isFresh(owner)) continue;
        if (hasSome) judged.delete(owner);
        else await judge(owner);
      }
    },
  };
}
