import { storableText } from "../../../domain/shared/storable-text.ts";
import type { ModelToolCall } from "../../ports/language-model.ts";
import { plainWords } from "./plain-words.ts";
import { unspokenParts } from "./unspoken-parts.ts";

/** What is said of a model's text, while it comes in pieces that are split anywhere. */
export type AnswerText = {
  take(text: string): string;
  /** `calls`: function calls that were written as text. */
  rest(): {
    readonly text: string;
    readonly calls: readonly ModelToolCall[];
    readonly hasBrokenCall: boolean;
  };
};

/**
 * Made storable, without what is not meant for the customer (reasoning, calls, marks of the model's
 * template), and as plain words.
 */
export function answerText(functions: ReadonlySet<string>): AnswerText {
  const parts = unspokenParts(functions);
  const words = plainWords();
  /** The first half of a character whose second half has not come yet. */
  let half = "";
  return {
    take(text) {
      const all = half + text;
      half = /[\ud800-\udbff]$/.exec(all)?.[0] ?? "";
      const whole = half === "" ? all : all.slice(0, -1);
      return words.take(parts.take(storableText(whole)));
    },
    rest() {
      const last = parts.take(storableText(half));
      const { text, calls, hasBrokenCall } = parts.rest();
      return { text: words.take(last + text) + words.rest(), calls, hasBrokenCall };
    },
  };
}
