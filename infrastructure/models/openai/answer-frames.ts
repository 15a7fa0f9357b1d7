import { AnswerTooLong } from "../../http/guarded-fetch.ts";
import { garbage } from "./chat-chunk.ts";

/** `done`: the server's `[DONE]`. */
export type AnswerFrame = { readonly kind: "json"; readonly value: unknown } | { readonly kind: "done" };

/** The most characters of an answer after decompression. */
const MOST_CHARACTERS = 2 * 1024 * 1024;
/** A frame, and a document in place of a stream, are read in one piece, while nothing else is done. */
const MOST_OF_A_FRAME = 512 * 1024;
/** Those of an answer have some 200 characters each; empty ones cost as much as they do. */
const MOST_FRAMES = 16_384;

/**
 * The frames of an answer, whatever the server calls it: server-sent events (also with one line end between
 * them, or none after the last), or one JSON document in their place.
 */
export async function* answerFrames(answer: Response): AsyncGenerator<AnswerFrame> {
  const reader = frameReader();
  let count = 0;
  const counted = (frames: readonly AnswerFrame[]): readonly AnswerFrame[] => {
    count += frames.length;
    if (count > MOST_FRAMES) throw new AnswerTooLong("the answer has too many frames");
    return frames;
  };
  for await (const text of textsOf(answer)) yield* counted(reader.take(text));
  yield* counted(reader.rest());
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
const LINE_END = 0x0a;

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

type FrameReader = { take(text: string): readonly AnswerFrame[]; rest(): readonly AnswerFrame[] };

/** Each character is looked at a fixed number of times, however the answer is cut into pieces. */
function frameReader(): FrameReader {
  /** Pieces of the line that has not ended. */
  let open: string[] = [];
  let openCharacters = 0;
  const events = eventLines();

  const line = (piece: string): readonly AnswerFrame[] => {
    const whole = open.length === 0 ? piece : [...open, piece].join("");
    open = [];
    openCharacters = 0;
    return events.line(whole.endsWith("\r") ? whole.slice(0, -1) : whole);
  };
  return {
    take(text) {
      const frames: AnswerFrame[] = [];
      let from = 0;
      for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
        for (const frame of line(text.slice(from, end))) frames.push(frame);
        // After one empty line another says nothing.
        if (end === from) while (text.charCodeAt(end + 1) === LINE_END) end += 1;
        from = end + 1;
      }
      if (from < text.length) open.push(text.slice(from));
      openCharacters += text.length - from;
      if (openCharacters > MOST_OF_A_FRAME) throw longFrame();
      return frames;
    },
    rest: () => [...(open.length === 0 ? [] : line("")), ...events.rest()],
  };
}

function longFrame(): AnswerTooLong {
  return new AnswerTooLong("a frame of the answer is too long");
}

const NONE: readonly AnswerFrame[] = [];

const FIELD = /^(data|event|id|retry)?(:|$)/;

function eventLines(): { line(line: string): readonly AnswerFrame[]; rest(): readonly AnswerFrame[] } {
  /** Lines of an event whose first line is no whole JSON, or of a document. */
  let held: string[] = [];
  let heldCharacters = 0;
  let form: "unknown" | "events" | "document" = "unknown";

  const hold = (line: string): readonly AnswerFrame[] => {
    heldCharacters += line.length;
    if (heldCharacters > MOST_OF_A_FRAME) throw longFrame();
    // An empty line is none of a document's values.
    if (line !== "") held.push(line);
    return NONE;
  };
  const rest = (): readonly AnswerFrame[] => {
    if (held.length === 0) return NONE;
    const text = held.join("\n").trim();
    held = [];
    heldCharacters = 0;
    if (text === "") return NONE;
    const value = parsed(text);
    if (value === undefined) throw garbage();
    return [{ kind: "json", value }];
  };
  const data = (text: string): readonly AnswerFrame[] => {
    if (text === "[DONE]") return [...rest(), { kind: "done" }];
    if (text === "") return NONE;
    if (text.length > MOST_OF_A_FRAME) throw longFrame();
    const value = held.length === 0 ? parsed(text) : undefined;
    return value === undefined ? hold(text) : [{ kind: "json", value }];
  };
  return {
    line(line) {
      const isEmpty = line === "" || line.trim() === "";
      if (form === "unknown" && !isEmpty) form = FIELD.test(line) ? "events" : "document";
      if (form === "document") return hold(line);
      if (isEmpty) return rest();
      return line.startsWith("data:") ? data(line.slice("data:".length).trim()) : NONE;
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
