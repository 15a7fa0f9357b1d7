import type { FileHandle } from "node:fs/promises";
import type { FoundRecording } from "../../application/ports/recordings.ts";
import { inPieces, openPiece, PIECE_BYTES, piecesOf, placeOfPiece, sealPiece } from "./sealed-pieces.ts";

const FORMAT = 1;
const LONGEST_TYPE = 100;

/** A format byte, the length of the content type, the content type, then the encrypted pieces. */
export async function* sealedParts(
  {
    key,
    subject,
    contentType,
  }: { readonly key: Uint8Array; readonly subject: string; readonly contentType: string },
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer, void> {
  const type = Buffer.from(contentType, "latin1").subarray(0, LONGEST_TYPE);
  yield Buffer.concat([Buffer.of(FORMAT, type.length), type]);
  let index = 0;
  for await (const { plain, isLast } of inPieces(source)) {
    yield sealPiece(key, { subject, contentType: type.toString("latin1"), index, isLast }, plain);
    index += 1;
  }
}

/** A part of a file, in bytes. */
export type Span = { readonly at: number; readonly length: number };

/**
 * Its length and last piece are checked before anything of it is returned. `span` null: the whole file. The
 * file is closed unless it is found.
 */
export async function openSealed(
  file: FileHandle,
  span: Span | null,
  subject: string,
  key: Uint8Array,
): Promise<FoundRecording> {
  const pieces = await wholePieces(file, span, subject, key).catch(async (error: unknown) => {
    await file.close();
    throw error;
  });
  if (pieces === null) {
    await file.close();
    return { kind: "damaged" };
  }
  const { bytes, contentType, version, open } = pieces;
  let isClosed = false;
  const close = async () => {
    if (!isClosed) {
      isClosed = true;
      await file.close();
    }
  };
  async function* read(from: number, to: number): AsyncGenerator<Uint8Array> {
    try {
      for (let at = from; at <= to; ) {
        const index = Math.floor(at / PIECE_BYTES);
        const piece = await open(index);
        if (piece === null) throw new Error(`piece ${index} of the recording of ${subject} does not open`);
        const start = index * PIECE_BYTES;
        yield piece.subarray(at - start, to + 1 - start);
        at = start + PIECE_BYTES;
      }
    } finally {
      await close();
    }
  }
  return { kind: "found", recording: { contentType, bytes, version, read, close } };
}

/** null: they do not end as they were written. */
async function wholePieces(file: FileHandle, span: Span | null, subject: string, key: Uint8Array) {
  const pieces = await sealedPieces(file, span ?? { at: 0, length: (await file.stat()).size }, subject, key);
  const last = pieces === null ? null : await pieces.open(pieces.count - 1);
  return last === null ? null : pieces;
}

async function sealedPieces(file: FileHandle, span: Span, subject: string, key: Uint8Array) {
  const head = await readAt(file, span.at, Math.min(span.length, 2 + LONGEST_TYPE));
  const [format, typeLength] = head;
  if (format !== FORMAT || typeLength === undefined || typeLength > LONGEST_TYPE) return null;
  const contentType = head.subarray(2, 2 + typeLength).toString("latin1");
  const first = 2 + typeLength;
  const sealedBytes = span.length - first;
  const parted = piecesOf(sealedBytes);
  if (parted === null) return null;
  const { count, bytes } = parted;
  const read = (index: number) => {
    const { at, length } = placeOfPiece(index, sealedBytes);
    return readAt(file, span.at + first + at, length);
  };
  const open = async (index: number) => {
    const place = { subject, contentType, index, isLast: index === count - 1 };
    return openPiece(key, place, await read(index));
  };
  // Random bytes that were drawn when it was written.
  const version = (await read(count - 1)).subarray(0, 28).toString("base64url");
  return { contentType, count, bytes, version, open };
}

/** Fewer bytes if the file ends before. */
export async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
