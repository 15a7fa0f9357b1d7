import type { ModelToolCall } from "../../ports/language-model.ts";
import { type JsonScan, jsonScan } from "./json-scan.ts";
import { isMeantAsCall, writtenCalls } from "./text-calls.ts";
import { markAt, type UnspokenPart } from "./unspoken-marks.ts";

type Rest = {
  readonly text: string;
  /** Calls of functions that were offered. */
  readonly calls: readonly ModelToolCall[];
  /** Something that was meant as a call could not be read as one. */
  readonly hasBrokenCall: boolean;
};

type Mode =
  | { readonly is: "said" }
  | { readonly is: "part"; readonly part: UnspokenPart; readonly pieces: string[]; length: number }
  | { readonly is: "json"; readonly scan: JsonScan; readonly pieces: string[]; length: number };

type Reading = {
  readonly functions: ReadonlySet<string>;
  readonly calls: ModelToolCall[];
  hasBrokenCall: boolean;
  mode: Mode;
  /** Text that is not read yet. */
  pending: string;
  /** What this piece adds to what is said. */
  out: string;
  /** Words of earlier pieces were passed on. */
  given: boolean;
};

/** A call that was written as text; longer ones are left out. */
const LONGEST_CALL = 16_384;
const SAID: Mode = { is: "said" };

/**
 * Takes out of a model's text what no customer may hear: reasoning (`<think>…</think>`), calls of functions
 * that were written as text, marks of the model's template, HTML. The text comes in pieces that are split
 * anywhere; what may be the beginning of such a part waits for the next piece.
 */
export function unspokenParts(functions: ReadonlySet<string>): { take(text: string): string; rest(): Rest } {
  const reading: Reading = {
    functions,
    calls: [],
    hasBrokenCall: false,
    mode: SAID,
    pending: "",
    out: "",
    given: false,
  };
  const readAll = (isLast: boolean): string => {
    while (reading.pending !== "" && goesOn(reading, isLast));
    const { out } = reading;
    reading.given ||= out.trim() !== "";
    reading.out = "";
    return out;
  };
  return {
    take(text) {
      reading.pending += text;
      return readAll(false);
    },
    rest() {
      const before = readAll(true);
      endMode(reading);
      const { calls, hasBrokenCall, out } = reading;
      return { text: before + out, calls, hasBrokenCall };
    },
  };
}

/** Reads one step; false: the next piece is needed. */
function goesOn(reading: Reading, isLast: boolean): boolean {
  const { mode } = reading;
  if (mode.is === "part") return readPart(reading, mode);
  if (mode.is === "json") return readJson(reading, mode);
  const place = reading.pending.search(/[<[{]/);
  if (place !== 0) {
    reading.out += cut(reading, place < 0 ? reading.pending.length : place);
    return true;
  }
  const mark = markAt(reading.pending, isLast);
  switch (mark.is) {
    case "open":
      return false;
    case "said":
      cut(reading, mark.length);
      reading.out += mark.text;
      return true;
    case "stray_end":
      cut(reading, mark.length);
      if (!reading.given) reading.out = "";
      return true;
    case "part":
      cut(reading, mark.length);
      reading.mode = { is: "part", part: mark.part, pieces: [mark.part.says], length: 0 };
      return true;
    case "json":
      reading.mode = { is: "json", scan: jsonScan(), pieces: [], length: 0 };
      return true;
  }
}

function cut(reading: Reading, length: number): string {
  const text = reading.pending.slice(0, length);
  reading.pending = reading.pending.slice(length);
  return text;
}

type OfPart = Extract<Mode, { is: "part" }>;

function readPart(reading: Reading, mode: OfPart): boolean {
  const { closes } = mode.part;
  const places = closes.map((close) => [reading.pending.indexOf(close), close.length] as const);
  const [place, length] = places.filter(([at]) => at >= 0).toSorted(([a], [b]) => a - b)[0] ?? [-1, 0];
  // The beginning of what ends the part may be at the end of this piece.
  const kept = Math.max(0, ...closes.map((close) => close.length - 1));
  const inner = cut(reading, place < 0 ? Math.max(0, reading.pending.length - kept) : place);
  keep(mode, mode.part.is === "reasoning" ? "" : inner);
  if (place < 0) return false;
  cut(reading, length);
  reading.mode = SAID;
  endPart(reading, mode);
  return true;
}

function keep(mode: Exclude<Mode, { is: "said" }>, piece: string): void {
  mode.length += piece.length;
  if (mode.length <= LONGEST_CALL) mode.pieces.push(piece);
}

const CHANNEL_ENDS = ["<|end|>", "<|return|>", "<|call|>", "<|start|>"];

function endPart(reading: Reading, { part, pieces, length }: OfPart): void {
  const text = pieces.join("");
  if (part.is === "call") takeCall(reading, length > LONGEST_CALL ? "" : text);
  // Only the channel `final` is for the customer.
  if (part.is === "channel" && !/\bfinal\b/.test(text) && !/^\s*assistant\s*$/.test(text))
    reading.mode = {
      is: "part",
      part: { is: "reasoning", closes: CHANNEL_ENDS, says: "" },
      pieces: [],
      length: 0,
    };
}

function takeCall(reading: Reading, text: string): void {
  const found = writtenCalls(text, reading.functions);
  reading.hasBrokenCall ||= found.length === 0;
  for (const call of found) reading.calls.push({ ...call, id: `call_${reading.calls.length + 1}` });
}

function readJson(reading: Reading, mode: Extract<Mode, { is: "json" }>): boolean {
  const end = mode.scan.take(reading.pending);
  keep(mode, cut(reading, end ?? reading.pending.length));
  if (end === null) return false;
  reading.mode = SAID;
  const text = mode.pieces.join("");
  if (mode.length > LONGEST_CALL) reading.hasBrokenCall = true;
  else if (isMeantAsCall(text)) takeCall(reading, text);
  else reading.out += text;
  return true;
}

const MEANT_AS_CALL = /"(?:name|function|tool|tool_name|tool_calls)"\s*:/;

/** The answer ended inside a part. */
function endMode(reading: Reading): void {
  const { mode, pending } = reading;
  reading.pending = "";
  reading.mode = SAID;
  if (mode.is === "said") return;
  keep(mode, pending);
  if (mode.is === "part") {
    if (mode.part.is === "call") endPart(reading, mode);
    return;
  }
  const text = mode.pieces.join("");
  if (mode.length > LONGEST_CALL || MEANT_AS_CALL.test(text)) reading.hasBrokenCall = true;
  else reading.out += text;
}
