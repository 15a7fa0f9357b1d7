import type { EndReason } from "../call/end-reason.ts";
import type { AnsweredBy, CallbackTerms } from "../call/events.ts";
import type { CallId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import type { JsonObject, JsonValue } from "../shared/json.ts";

/** What the customer does when it is their turn. */
export type WrittenTurn =
  | { readonly kind: "words"; readonly text: string }
  | { readonly kind: "keys"; readonly keys: string }
  /** Says nothing until the assistant speaks again. */
  | { readonly kind: "silence" }
  /** A recorded greeting, then a beep; only as the first one. */
  | { readonly kind: "machine"; readonly text: string };

/** When the customer of a past call did something. */
export type PastMoment = {
  /**
   * After this share (0 to 1) of the characters of the assistant's n-th message (from 1) since the customer's
   * turn before; message 0: after that turn itself. null: when the assistant was done, with words and tools.
   */
  readonly after: { readonly message: number; readonly share: number } | null;
  /** From then until they began. */
  readonly pauseMillis: number;
};

/** What the customer of a past call did, in order. */
export type PastTurn = PastMoment & { readonly turn: WrittenTurn };

/** talks_on: was heard without words until the longest duration was over. */
export type PastEnd = PastMoment & { readonly how: "hangs_up" | "talks_on" };

/** A call as it is played again, read once when the rehearsal is made. */
export type PastCall = {
  readonly callId: CallId;
  /** Repeats the scripted model. */
  readonly seed: string;
  readonly answeredBy: AnsweredBy;
  readonly turns: readonly PastTurn[];
  /** What the customer did at last; null: they waited for the assistant to end the call. */
  readonly end: PastEnd | null;
  /** What tools answered. */
  readonly answers: readonly PastAnswer[];
  readonly begunAt: Instant;
  readonly contactName: string | null;
  readonly customData: JsonObject | null;
  readonly greetingMessage: string | null;
  readonly specialInstructions: string | null;
  /** What could be agreed about calling again; null: a wish is only noted. */
  readonly callback: CallbackTerms | null;
};

/** Arguments that are equal as JSON get this answer. */
export type PastAnswer = {
  readonly functionName: string;
  readonly arguments: JsonObject;
  readonly outcome: "answered" | "failed" | "timed_out" | "refused" | "unknown";
  readonly shown: string;
  readonly isError: boolean;
  /** Until it had ended; null: not known. */
  readonly millis: number | null;
};

export type RehearsedCaller =
  | { readonly kind: "written"; readonly turns: readonly WrittenTurn[] }
  | { readonly kind: "past"; readonly call: PastCall }
  | { readonly kind: "persona"; readonly persona: string; readonly goal: string | null };

/** The first entry whose `when` is a part of the arguments is used. */
export type ToolReply = { readonly when: JsonObject | null } & (
  | { readonly answer: JsonValue }
  | { readonly fails: "timed_out" | "failed" }
);

export type Expectation =
  /** Each of these fields has this value. */
  | { readonly outcome: Readonly<Record<string, JsonValue>> }
  | { readonly success: boolean }
  | { readonly says: string }
  | { readonly neverSays: readonly string[] }
  | { readonly tool: string; readonly arguments?: JsonObject }
  | { readonly noTool: string }
  /** memberId, or the name of the member's assistant. */
  | { readonly handsOffTo: string }
  | { readonly endReason: EndReason }
  | { readonly optedOut: boolean }
  | { readonly callback: boolean }
  | { readonly turnsAtMost: number };

/** A case as it is played; its expectations include those for all cases. */
export type RehearsedCase = {
  readonly name: string;
  readonly caller: RehearsedCaller;
  /** What the clock shows when the call is answered. */
  readonly at: Instant;
  readonly contact: {
    readonly name: string | null;
    readonly customData: JsonObject | null;
    readonly timezone: string | null;
  };
  /** null: the assistant's own, filled for the contact. */
  readonly greetingMessage: string | null;
  readonly specialInstructions: string | null;
  /** By the tool's name. */
  readonly tools: Readonly<Record<string, readonly ToolReply[]>>;
  readonly expect: readonly Expectation[];
  readonly passAt: number;
  readonly maxTurns: number;
};

export type Lane = "candidate" | "baseline";

export type RunStatus = "waiting" | "running" | "passed" | "failed" | "error" | "cancelled";

export const RUN_WARNINGS = [
  "scripted_persona",
  "tool_not_answered",
  "max_turns",
  "too_long",
  "caller_not_finished",
] as const;
/**
 * `tool_not_answered`: the model was told that a tool cannot be used here; `max_turns`, `too_long`: the
 * caller hung up at a bound; `caller_not_finished`: the call ended before the caller had done everything.
 */
export type RunWarning = (typeof RUN_WARNINGS)[number];
