import type { ConnectionId } from "../../domain/shared/ids.ts";
import {
  type LanguageModel,
  type LanguageModels,
  ModelFailure,
  type ModelLimits,
  type ModelPart,
  type ModelRequest,
} from "../ports/language-model.ts";
import type { UsedTokens } from "../ports/rehearsals.ts";
import type { RehearsalClock } from "./rehearsal-clock.ts";
import type { RunWorld } from "./run-world.ts";

/** A model that asks to wait is asked so often in all. */
const TRIES = 3;

/** The models of one run: their tokens are counted, and an answer begins when there is room for it. */
export type RunModels = {
  /** The assistant's: our time goes on while they are asked. */
  readonly ofConversation: LanguageModels;
  /** Asked beside the conversation: no time passes. */
  readonly beside: LanguageModels;
  /** An answer of the assistant is under way. */
  readonly isBusy: () => boolean;
  /** So far. */
  readonly used: () => UsedTokens;
};

type Deps = Pick<RunWorld, "models" | "mayBegin" | "throttled"> & {
  readonly time: RehearsalClock;
  /** Repeats the scripted model. */
  readonly seed: string;
  readonly stop: AbortSignal;
};

export function createRunModels(deps: Deps): RunModels {
  const { time, models, seed } = deps;
  const used = { inputTokens: 0, outputTokens: 0 };
  let underWay = 0;

  const opened = (passes: RehearsalClock["during"], isOurs: boolean): LanguageModels => ({
    open: async (owner, connectionId) => {
      const inner = await time.outside(() => models.open(owner, connectionId, seed));
      const begin = (signal: AbortSignal) => {
        const over = Promise.withResolvers<void>();
        // A model in this process takes no time.
        if (inner.answerAtOnce === undefined) void passes(() => over.promise);
        if (isOurs) underWay += 1;
        return once(signal, () => {
          over.resolve();
          if (isOurs) underWay -= 1;
        });
      };
      return {
        ...inner,
        async *respond(request, limits) {
          const signal = AbortSignal.any([limits.signal, deps.stop]);
          const end = begin(signal);
          try {
            for await (const part of answer(deps, inner, connectionId, request, { ...limits, signal })) {
              if (part.kind === "end") {
                used.inputTokens += part.inputTokens ?? 0;
                used.outputTokens += part.outputTokens ?? 0;
              }
              yield part;
            }
          } finally {
            end();
          }
        },
      };
    },
  });

  return {
    ofConversation: opened(time.during, true),
    beside: opened(time.outside, false),
    isBusy: () => underWay > 0,
    used: () => ({ ...used }),
  };
}

/** Runs when it is called or the signal aborts, whichever is first: a model may hear no abort. */
function once(signal: AbortSignal, run: () => void): () => void {
  let isDone = false;
  const end = () => {
    signal.removeEventListener("abort", end);
    if (!isDone) run();
    isDone = true;
  };
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  return end;
}

/** What the model says. It waits outside of the run's time: for its turn, and where it was asked to. */
async function* answer(
  { time, mayBegin, throttled }: Deps,
  model: LanguageModel,
  connectionId: ConnectionId | null,
  request: ModelRequest,
  limits: ModelLimits,
): AsyncGenerator<ModelPart> {
  for (let tries = 1; ; tries += 1) {
    await time.outside(() => mayBegin(connectionId, limits.signal));
    try {
      yield* model.respond(request, limits);
      return;
    } catch (error) {
      if (!(error instanceof ModelFailure) || error.kind !== "throttled") throw error;
      throttled(connectionId, error.retryAfterMillis);
      if (tries === TRIES || limits.signal.aborted) throw error;
    }
  }
}
