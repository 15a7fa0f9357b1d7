import type { AssistantCheck } from "../../ports/assistant-check.ts";
import type { LanguageModels } from "../../ports/language-model.ts";

const ANSWER_MILLIS = 8_000;
const PROMPT = { role: "user", content: "Answer with the word OK." } as const;

/**
 * A model is healthy when it answers a short question completely. Without models (null) every check succeeds.
 */
export function createModelCheck(models: LanguageModels | null): AssistantCheck {
  return {
    check: async ({ owner, connectionId, model }) => {
      if (models === null) return true;
      const signal = AbortSignal.timeout(ANSWER_MILLIS);
      const limits = { signal, firstPartMillis: ANSWER_MILLIS, stallMillis: ANSWER_MILLIS };
      const request = { messages: [PROMPT], tools: [], model, temperature: null, maxTokens: 16 };
      try {
        const opened = await models.open(owner, connectionId, "check");
        for await (const part of opened.respond(request, limits)) if (part.kind === "end") return true;
        return false;
      } catch {
        return false;
      }
    },
  };
}
