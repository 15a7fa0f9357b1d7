import type { Clock } from "../../../application/ports/clock.ts";
import {
  type LanguageModels,
  ModelFailure,
  type ModelPart,
  type ModelRequest,
} from "../../../application/ports/language-model.ts";
import type { JsonObject } from "../../../domain/shared/json.ts";

export type ScriptedStep =
  | { readonly wait: number }
  | { readonly text: string }
  | {
      readonly call: string;
      readonly with?: string;
      readonly id?: string;
      readonly fields?: JsonObject;
    }
  | { readonly fail: ModelFailure["kind"]; readonly retryAfter?: number }
  | { readonly forever: string }
  | { readonly end: Extract<ModelPart, { kind: "end" }>["reason"] };

export type Answer = readonly ScriptedStep[];

/** Models with the answers of the test, one for each request; they count requests. */
export function scriptedModels(
  clock: Pick<Clock, "sleep">,
  answerTo: (request: ModelRequest, number: number) => Answer,
) {
  const requests: ModelRequest[] = [];
  let life = 0;
  const seen = {
    now: 0,
    most: 0,
    /** The process died, with all its pending answers. */
    forget: () => {
      life += 1;
      seen.now = 0;
    },
  };
  const models: LanguageModels = {
    open: async () => ({
      respond: async function* (request, { signal }) {
        requests.push(request);
        seen.now += 1;
        seen.most = Math.max(seen.most, seen.now);
        const mine = life;
        let left = false;
        const leave = () => {
          if (mine === life && !left) seen.now -= 1;
          left = true;
        };
        signal.addEventListener("abort", leave, { once: true });
        try {
          for (const each of answerTo(request, requests.length)) {
            if ("wait" in each) await clock.sleep(each.wait, signal);
            if (signal.aborted) throw new ModelFailure("aborted", "aborted");
            if ("text" in each) yield { kind: "text", text: each.text };
            if ("call" in each) {
              yield {
                kind: "tool_call",
                call: {
                  id: each.id ?? "call_0",
                  name: each.call,
                  arguments: each.with ?? "{}",
                  ...(each.fields === undefined ? {} : { fields: each.fields }),
                },
              };
            }
            if ("fail" in each)
              throw new ModelFailure(each.fail, "as the test says", each.retryAfter ?? null);
            while ("forever" in each) {
              await clock.sleep(20, signal);
              if (signal.aborted) throw new ModelFailure("aborted", "aborted");
              yield { kind: "text", text: each.forever };
            }
            if ("end" in each) {
              leave();
              yield { kind: "end", reason: each.end, model: "test", inputTokens: 10, outputTokens: 5 };
              return;
            }
          }
          leave();
          yield { kind: "end", reason: "stop", model: "test", inputTokens: 10, outputTokens: 5 };
        } finally {
          signal.removeEventListener("abort", leave);
          leave();
        }
      },
    }),
  };
  return { models, requests, seen };
}
