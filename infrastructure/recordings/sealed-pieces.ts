import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** Size of an encrypted piece: any part of a recording can be read without the rest. */
export const PIECE_BYTES = 64 * 1024;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const OVERHEAD = IV_BYTES + TAG_BYTES;
const SEALED_PIECE_BYTES = PIECE_BYTES + OVERHEAD;
const CIPHER = "aes-256-gcm";

/**
 * The context of a piece: elsewhere it cannot be decrypted, and without the last one a
 * file is known to be cut.
 */
export type PiecePlace = {
  readonly subject: string;
  readonly contentType: string;
  readonly index: number;
  readonly isLast: boolean;
};

export function sealPiece(key: Uint8Array, place: PiecePlace, plain: Uint8Array): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(associated(place));
  const body = [cipher.update(plain), cipher.final()];
  return Buffer.concat([iv, cipher.getAuthTag(), ...body]);
}

/** null: forged, cut, moved from elsewhere, or encrypted with another key. */
export function openPiece(key: Uint8Array, place: PiecePlace, sealed: Uint8Array): Buffer | null {
  if (sealed.length < OVERHEAD) return null;
  const iv = sealed.subarray(0, IV_BYTES);
  const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(associated(place)).setAuthTag(sealed.subarray(IV_BYTES, OVERHEAD));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(OVERHEAD)), decipher.final()]);
  } catch {
    return null;
  }
}

function associated({ subject, contentType, index, isLast }: PiecePlace): Buffer {
  return Buffer.from(JSON.stringify(["recording", subject, contentType, index, isLast]));
}

/** The pieces of a file with so many encrypted bytes; null: no file of ours has that length. */
export function piecesOf(sealedBytes: number): { readonly count: number; readonly bytes: number } | null {
  const count = Math.ceil(sealedBytes / SEALED_PIECE_BYTES);
  const last = sealedBytes - (count - 1) * SEALED_PIECE_BYTES;
  if (count < 1 || last < OVERHEAD) return null;
  return { count, bytes: sealedBytes - count * OVERHEAD };
}

/** Offset of the encrypted piece, from the first one's beginning. */
export function placeOfPiece(
  index: number,
  sealedBytes: number,
): { readonly at: number; readonly length: number } {
  const at = index * SEALED_PIECE_BYTES;
  return { at, length: Math.min(SEALED_PIECE_BYTES, sealedBytes - at) };
}

/**
 * A stream of bytes in pieces of PIECE_BYTES; the last one may be shorter, and exists also
 * for an empty stream.
 */
export async function* inPieces(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ readonly plain: Uint8Array; readonly isLast: boolean }> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source) {
    waiting.push(chunk);
    length += chunk.length;
    // A full piece waits for the next byte, which proves that it is not the last one.
    while (length > PIECE_BYTES) {
      const all = Buffer.concat(waiting);
      yield { plain: all.subarray(0, PIECE_BYTES), isLast: false };
      waiting = [all.subarray(PIECE_BYTES)];
      length -= PIECE_BYTES;
    }
  }
  yield { plain: Buffer.concat(waiting), isLast: true };
}
