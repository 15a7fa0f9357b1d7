import type { ModelToolCall } from "../../../application/ports/language-model.ts";

/** What a fake server does with one request. `pauseMillis` before the first event of the stream. */
export type FakeAnswer =
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** Bytes as they are. */
  | {
      readonly kind: "raw";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Uint8Array;
    }
  /** Any other answer than a stream, with status 200. */
  | { readonly kind: "document"; readonly contentType: string; readonly body: string }
  | {
      readonly kind: "stream";
      /** The `data:` of each event, as text. */
      readonly events: readonly string[];
      readonly pauseMillis?: number;
      /** stall: the connection stays open and silent; die: it is cut. */
      readonly then: "end" | "stall" | "die";
    };

const MODEL = "fake-1";

type Choice = { readonly delta: object; readonly finish_reason?: string | null };

function event(choice: Choice): string {
  const choices = [{ index: 0, finish_reason: null, ...choice }];
  return JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model: MODEL,
    choices,
  });
}

const FRAME = event({ delta: { role: "assistant", content: "" } });
const USAGE = JSON.stringify({
  model: MODEL,
  choices: [],
  usage: { prompt_tokens: 11, completion_tokens: 3 },
});
const DONE = "[DONE]";

export const textEvents = (words: readonly string[]): string[] => [
  FRAME,
  ...words.map((content) => event({ delta: { content } })),
];

export const finishEvent = (reason: string): string => event({ delta: {}, finish_reason: reason });

const stream = (events: readonly string[], then: "end" | "stall" | "die" = "end"): FakeAnswer => ({
  kind: "stream",
  events,
  then,
});

export function speaks(words: readonly string[], reason = "stop"): FakeAnswer {
  return stream([...textEvents(words), finishEvent(reason), USAGE, DONE]);
}

export function speaksWithoutUsage(words: readonly string[]): FakeAnswer {
  return stream([...textEvents(words), finishEvent("stop"), DONE]);
}

/**
 * Each call in three pieces: its name, and its arguments in two halves; the calls after each other,
 * as OpenAI sends them.
 */
export function callsInPieces(calls: readonly ModelToolCall[], reason = "tool_calls"): FakeAnswer {
  const pieces = calls.flatMap(({ id, name, arguments: text }, index) => [
    { index, id, type: "function", function: { name, arguments: "" } },
    { index, function: { arguments: text.slice(0, 4) } },
    { index, function: { arguments: text.slice(4) } },
  ]);
  const events = pieces.map((piece) => event({ delta: { tool_calls: [piece] } }));
  return stream([FRAME, ...events, finishEvent(reason), USAGE, DONE]);
}

/**
 * Whole calls without an index, an id or arguments, and with the reason of an ordinary answer: as
 * some servers send them.
 */
export function callsOddly(names: readonly string[]): FakeAnswer {
  const calls = names.map((name, place) => ({
    ...(place === 0 ? {} : { id: `odd_${place}` }),
    function: { name },
  }));
  return stream([event({ delta: { tool_calls: calls } }), finishEvent("stop"), DONE]);
}

const SOME = textEvents(["One ", "moment"]);

/** The ways in which servers go wrong, by name. */
export const MODES = {
  ends_early: stream(SOME),
  error_chunk: stream([
    ...SOME,
    JSON.stringify({ error: { message: "key sk-secret is bad", type: "server_error" } }),
  ]),
  throttled_chunk: stream([JSON.stringify({ error: { message: "slow down", code: "rate_limit_exceeded" } })]),
  refused_chunk: stream([JSON.stringify({ error: { message: "no", type: "invalid_request_error" } })]),
  garbage: stream([...SOME, "{not json sk-secret"]),
  foreign_json: stream([...SOME, JSON.stringify({ hello: "there" })]),
  only_foreign_json: stream([JSON.stringify({ hello: "there" })]),
  foreign_value: stream([...SOME, "5"]),
  stall: stream(SOME, "stall"),
  stall_after_finish: stream([...SOME, finishEvent("stop")], "stall"),
  silent: stream([FRAME], "stall"),
  death: stream(SOME, "die"),
  death_after_finish: stream([...SOME, finishEvent("stop")], "die"),
  page: { kind: "document", contentType: "text/html", body: "<html>sk-secret</html>" },
  whole_answer: { kind: "document", contentType: "application/json", body: '{"choices":[]}' },
  redirect: { kind: "status", status: 307, headers: { location: "http://127.0.0.1:1/v1/chat/completions" } },
  too_long: stream(Array.from({ length: 300 }, () => event({ delta: { content: "x".repeat(10_000) } }))),
} as const satisfies Readonly<Record<string, FakeAnswer>>;

export type FakeMode = keyof typeof MODES;
