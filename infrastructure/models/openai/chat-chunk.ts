import { z } from "zod";
import { ModelFailure } from "../../../application/ports/language-model.ts";

const toolCallPiece = z.object({
  /** Some servers send complete calls without it. */
  index: z.number().int().nullish(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
});

const choice = z.object({
  index: z.number().nullish(),
  delta: z.object({ content: z.string().nullish(), tool_calls: z.array(toolCallPiece).nullish() }).nullish(),
  finish_reason: z.string().nullish(),
});

const tokens = z.number().int().nonnegative();

const chunk = z.object({
  model: z.string().nullish(),
  choices: z.array(choice).nullish(),
  usage: z.object({ prompt_tokens: tokens.nullish(), completion_tokens: tokens.nullish() }).nullish(),
});

export type ToolCallPiece = z.infer<typeof toolCallPiece>;

export type ChatChunk = {
  readonly model: string | null;
  readonly text: string;
  readonly toolCalls: readonly ToolCallPiece[];
  /** null: the answer goes on. */
  readonly finishReason: string | null;
  readonly usage: { readonly input: number | null; readonly output: number | null } | null;
};

/** One event of the stream. The SDK passes on any JSON. */
export function parseChunk(value: unknown): ChatChunk {
  const parsed = chunk.safeParse(value);
  if (!parsed.success || (parsed.data.choices ?? parsed.data.usage ?? null) === null) throw garbage();
  const { model, choices, usage } = parsed.data;
  const first = (choices ?? []).find(({ index }) => (index ?? 0) === 0);
  const reason = first?.finish_reason ?? "";
  return {
    model: model ?? null,
    text: first?.delta?.content ?? "",
    toolCalls: first?.delta?.tool_calls ?? [],
    finishReason: reason === "" ? null : reason,
    usage:
      usage === null || usage === undefined
        ? null
        : { input: usage.prompt_tokens ?? null, output: usage.completion_tokens ?? null },
  };
}

export function garbage(): ModelFailure {
  return new ModelFailure("garbage", "The model's server sent something that is no chat completion");
}
