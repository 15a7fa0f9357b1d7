import type { Effect } from "../../domain/conversation/effects.ts";
import type { Input } from "../../domain/conversation/inputs.ts";
import type { Of } from "../../domain/shared/decider.ts";
import type { CallId, ConnectionId, OwnerId } from "../../domain/shared/ids.ts";
import { type LanguageModel, ModelFailure } from "../ports/language-model.ts";
import type { PinnedSpeaker } from "../ports/pinned-conversations.ts";
import type { ConversationDeps } from "./conversation-deps.ts";

export type Ask = Of<Effect, "ask">;

export type ModelAsking = {
  /** Passes every part on as an input. */
  readonly ask: (effect: Ask) => void;
  readonly abort: (generation: number) => void;
};

/** Asks the models of one call; each answer can be aborted by its generation number. */
export function createModelAsking(
  { models, logger }: Pick<ConversationDeps, "models" | "logger">,
  { owner, callId, speakers }: { owner: OwnerId; callId: CallId; speakers: readonly PinnedSpeaker[] },
  tell: (input: Input) => void,
): ModelAsking {
  const opened = new Map<ConnectionId | null, Promise<LanguageModel>>();
  const running = new Map<number, AbortController>();

  const open = (connection: ConnectionId | null): Promise<LanguageModel> => {
    const known = opened.get(connection);
    if (known !== undefined) return known;
    const model = models.open(owner, connection, callId);
    opened.set(connection, model);
    model.catch(() => opened.delete(connection));
    return model;
  };

  const answer = async (effect: Ask, signal: AbortSignal): Promise<void> => {
    const { generation, prompt, firstPartMillis, stallMillis } = effect;
    const connection = speakers.find((each) => each === effect.speaker)?.modelConnectionId ?? null;
    const model = await open(connection);
    for await (const part of model.respond(prompt, { signal, firstPartMillis, stallMillis })) {
      if (signal.aborted) return;
      tell({ type: "model_part", generation, part });
    }
  };

  return {
    ask: (effect) => {
      const { generation } = effect;
      const stop = new AbortController();
      running.set(generation, stop);
      answer(effect, stop.signal)
        .catch((error: unknown) => {
          if (stop.signal.aborted) return;
          const failure = error instanceof ModelFailure ? error : null;
          if (failure === null) logger.error({ callId, error }, "the model could not be asked");
          const { kind = "unavailable", retryAfterMillis = null } = failure ?? {};
          tell({ type: "model_failed", generation, kind, retryAfterMillis });
        })
        .finally(() => running.delete(generation));
    },
    abort: (generation) => running.get(generation)?.abort(),
  };
}
