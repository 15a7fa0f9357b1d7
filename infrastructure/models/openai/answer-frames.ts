import { AnswerTooLong } from "../../http/guarded-fetch.ts";
import { garbage } from "./chat-chunk.ts";

/** `done`: the server's `[DONE]`. */
export type AnswerFrame = { readonly kind: "json"; readonly value: unknown } | { readonly kind: "done" };

/** The most characters of an answer after decompression. */
const MOST_CHARACTERS = 2 * 1024 * 1024;

/**
 * The frames of an answer, whatever the server calls it: server-sent events (also with one line end between
 * them, or none after the last), or one JSON document in their place.
 */
export async function* answerFrames(answer: Response): AsyncGenerator<AnswerFrame> {
  const reader = frameReader();
  for await (const text of textsOf(answer)) yield* reader.take(text);
  yield* reader.rest();
}

async function* textsOf(answer: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let characters = 0;
  const counted = (text: string): string => {
    characters += text.length;
    if (characters > MOST_CHARACTERS) throw new AnswerTooLong("the answer is too long");
    return text;
  };
  for await (const bytes of plainBytes(answer)) yield counted(decoder.decode(bytes, { stream: true }));
  yield counted(decoder.decode());
}

const GZIP_BEGINS = 0x1f;

/** Nobody asked for a compressed answer; some servers send one, and some only say so. */
async function* plainBytes(answer: Response): AsyncGenerator<Uint8Array> {
  const chunks = answer.body?.[Symbol.asyncIterator]();
  const first = await chunks?.next();
  if (chunks === undefined || first === undefined || first.done === true) return;
  const all = joined(first.value, chunks);
  const isGzip = /gzip/i.test(answer.headers.get("content-encoding") ?? "") && first.value[0] === GZIP_BEGINS;
  if (isGzip) yield* ReadableStream.from(all).pipeThrough(new DecompressionStream("gzip"));
  else yield* all;
}

async function* joined(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    yield new Uint8Array(first);
    for (let next = await rest.next(); next.done !== true; next = await rest.next())
      yield new Uint8Array(next.value);
  } finally {
    await rest.return?.();
  }
}

type FrameReader = { take(text: string): AnswerFrame[]; rest(): AnswerFrame[] };

/** Each character is looked at a fixed number of times, however the answer is cut into pieces. */
function frameReader(): FrameReader {
  /** Pieces of the line that has not ended. */
  let open: string[] = [];
  const events = eventLines();

  const line = (piece: string): AnswerFrame[] => {
    const whole = [...open, piece].join("");
    open = [];
    return events.line(whole.endsWith("\r") ? whole.slice(0, -1) : whole);
  };
  return {
    take(text) {
      const frames: AnswerFrame[] = [];
      let from = 0;
      for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
        frames.push(...line(text.slice(from, end)));
        from = end + 1;
      }
      if (from < text.length) open.push(text.slice(from));
      return frames;
    },
    rest: () => [...(open.length === 0 ? [] : line("")), ...events.rest()],
  };
}

const FIELD = /^(data|event|id|retry)?(:|$)/;

function eventLines(): { line(line: string): AnswerFrame[]; rest(): AnswerFrame[] } {
  /** Lines of an event whose first line is no whole JSON, or of a document. */
  let held: string[] = [];
  let form: "unknown" | "events" | "document" = "unknown";

  const rest = (): AnswerFrame[] => {
    const text = held.join("\n").trim();
    held = [];
    if (text === "") return [];
    const value = parsed(text);
    if (value === undefined) throw garbage();
    return [{ kind: "json", value }];
  };
  const data = (text: string): AnswerFrame[] => {
    if (text === "[DONE]") return [...rest(), { kind: "done" }];
    if (text === "") return [];
    const value = held.length === 0 ? parsed(text) : undefined;
    if (value !== undefined) return [{ kind: "json", value }];
    held.push(text);
    return [];
  };
  return {
    line(line) {
      if (form === "unknown" && line.trim() !== "") form = FIELD.test(line) ? "events" : "document";
      if (form === "document") {
        held.push(line);
        return [];
      }
      if (line.trim() === "") return rest();
      return line.startsWith("data:") ? data(line.slice("data:".length).trim()) : [];
    },
    rest,
  };
}

/** undefined: no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
