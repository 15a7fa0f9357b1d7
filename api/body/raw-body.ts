import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { ApiError } from "../errors.ts";
import { createGate, type Gate } from "./body-gate.ts";

export const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** From here on at most two bodies at once are in the service, others wait before they are read. */
const LARGE_BODY_BYTES = 2 * 1024 * 1024;
const MIDDLE_BODY_BYTES = 256 * 1024;

/** A body as it came. */
export type RawBody = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** SHA-256 in hex: what an Idempotency-Key is held against. */
  readonly digest: string;
};

export type BodyGates = { readonly middle: Gate; readonly large: Gate };

export function createBodyGates(): BodyGates {
  return { middle: createGate(24), large: createGate(2) };
}

/** `hold` is told how to give the place back once the answer is out. */
export type BodyRoom = {
  readonly gates: BodyGates;
  readonly signal: AbortSignal;
  readonly hold: (leave: () => void) => void;
};

/** Reads a body within its limit; a larger one waits for its place before (its length is known) or while (it is not) it is read. */
export async function readRawBody(message: IncomingMessage, room: BodyRoom): Promise<RawBody> {
  const announced = Number(message.headers["content-length"] ?? 0);
  if (announced > MAX_BODY_BYTES) throw tooLarge(message);
  const places = createPlaces(room);
  await places.takeFor(announced);

  const hash = createHash("sha256");
  let bytes = new Uint8Array(announced);
  let length = 0;
  for await (const chunk of message.iterator({ destroyOnReturn: false })) {
    if (!(chunk instanceof Uint8Array)) continue;
    const end = length + chunk.byteLength;
    if (end > MAX_BODY_BYTES) throw tooLarge(message);
    await places.takeFor(end);
    hash.update(chunk);
    if (end > bytes.byteLength) bytes = larger(bytes, end);
    bytes.set(chunk, length);
    length = end;
  }
  return { bytes: bytes.subarray(0, length), digest: hash.digest("hex") };
}

/** For a reader of its own: waits for the room that so many bytes need. */
export async function roomFor(bytes: number, room: BodyRoom): Promise<void> {
  await createPlaces(room).takeFor(bytes);
}

function createPlaces({ gates, signal, hold }: BodyRoom) {
  let middle = false;
  let large = false;
  return {
    takeFor: async (length: number) => {
      if (length > MIDDLE_BODY_BYTES && !middle) {
        middle = true;
        hold(await gates.middle.enter(signal));
      }
      if (length > LARGE_BODY_BYTES && !large) {
        large = true;
        hold(await gates.large.enter(signal));
      }
    },
  };
}

/** Twice the room, for a body that does not say how long it is. */
function larger(bytes: Uint8Array, needed: number): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(Math.min(MAX_BODY_BYTES, Math.max(needed, 2 * bytes.byteLength)));
  grown.set(bytes);
  return grown;
}

/** What is still on its way is let run out; the connection is not used again. */
function tooLarge(message: IncomingMessage): ApiError {
  message.resume();
  return new ApiError("PAYLOAD_TOO_LARGE", "The body is larger than 16 MiB", {
    headers: { Connection: "close" },
  });
}
