import type { FileHandle } from "node:fs/promises";
import type { RecordingInSegment, SegmentRecord } from "../../application/ports/recording-segments.ts";
import { readAt, type Span } from "./sealed-recording.ts";

/** Marks, a byte that says whether it was erased, the lengths of the call's id and of what follows it. */
const MARKS = "RS";
const ERASED_AT = 2;
const ID_LENGTH_AT = 3;
const BODY_LENGTH_AT = 4;
const ID_AT = 8;
const LONGEST_ID = 69;

/** What stands before the sealed bytes of a recording in a segment. */
export function recordHead(callId: string, bodyBytes: number, isErased = false): Buffer {
  const head = Buffer.alloc(ID_AT + callId.length);
  head.write(MARKS, "latin1");
  head[ERASED_AT] = isErased ? 1 : 0;
  head[ID_LENGTH_AT] = callId.length;
  head.writeUInt32BE(bodyBytes, BODY_LENGTH_AT);
  head.write(callId, ID_AT, "latin1");
  return head;
}

/** The record that begins there; null: none does, or it has not got all of its bytes. */
export async function recordAt(
  file: FileHandle,
  segment: string,
  at: number,
  size: number,
): Promise<SegmentRecord | null> {
  const head = await readAt(file, at, Math.min(ID_AT + LONGEST_ID, Math.max(0, size - at)));
  const idLength = head[ID_LENGTH_AT];
  if (idLength === undefined || head.length < ID_AT + idLength) return null;
  const callId = head.toString("latin1", ID_AT, ID_AT + idLength);
  if (head.toString("latin1", 0, MARKS.length) !== MARKS || !isCallId(callId)) return null;
  const length = ID_AT + idLength + head.readUInt32BE(BODY_LENGTH_AT);
  if (at + length > size) return null;
  return { callId, place: { segment, at, length }, isErased: head[ERASED_AT] !== 0 };
}

/** Its sealed bytes. */
export function bodyOf({ callId, place }: RecordingInSegment): Span {
  const headBytes = ID_AT + callId.length;
  return { at: place.at + headBytes, length: place.length - headBytes };
}

/** What a record is overwritten with when it is erased: those after it stay where they are. */
export function erasedRecord({ callId, place }: RecordingInSegment): Buffer {
  const { length } = bodyOf({ callId, place });
  return Buffer.concat([recordHead(callId, length, true), Buffer.alloc(length)]);
}

function isCallId(text: string): text is `call_${string}` {
  return /^call_[0-9A-Za-z_-]{1,64}$/.test(text);
}
