import type { EndReason } from "../call/end-reason.ts";
import type { OutcomeValue } from "../call/events.ts";
import type { JsonValue } from "../shared/json.ts";
import type { Expectation, RunWarning } from "./rehearsal.ts";

/** A message of a run as expectations read it. */
export type RunMessage = {
  readonly index: number;
  readonly role: "assistant" | "customer" | "tool" | "system";
  /** As it was heard. */
  readonly content: string | null;
  /** Of one that was cut: the whole text. */
  readonly intended: string | null;
  /** Of the assistant: why it said it. */
  readonly kind: string | null;
};

/** What a run came to, for its expectations. */
export type RunFacts = {
  readonly messages: readonly RunMessage[];
  /** null: nothing was analysed. */
  readonly outcome: {
    readonly fields: Readonly<Record<string, OutcomeValue>>;
    readonly success: boolean | null;
  } | null;
  readonly endReason: EndReason | null;
  readonly optedOut: boolean;
  readonly callback: boolean;
  /** Turns of the customer. */
  readonly turns: number;
  /** `name`: of the tool, and what the model calls it. */
  readonly tools: readonly {
    readonly names: readonly string[];
    readonly arguments: JsonValue;
    readonly messageIndex: number;
  }[];
  /** memberId and name of each assistant that took over. */
  readonly handoffs: readonly { readonly names: readonly string[]; readonly messageIndex: number }[];
};

export type Failure = {
  readonly expect: Expectation;
  /** What there was instead, in a sentence or as the value. */
  readonly got: JsonValue;
  /** The message that is to blame; null: none. */
  readonly messageIndex: number | null;
};

export type RunFigures = {
  readonly turns: number;
  readonly toolCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Median over its answers; null: no model was asked. */
  readonly firstTokenMillis: number | null;
  readonly warnings: readonly RunWarning[];
};
