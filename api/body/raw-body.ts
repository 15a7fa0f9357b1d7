import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { ApiError } from "../errors.ts";
import { createGate, type Gate } from "./body-gate.ts";

export const MAX_BODY_BYTES = 16 * 1024 * 1024;
const SMALL_BODY_BYTES = 16 * 1024;
const MIDDLE_BODY_BYTES = 256 * 1024;
const LARGE_BODY_BYTES = 2 * 1024 * 1024;

/** A body as received. */
export type RawBody = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** SHA-256 in hex, compared for an Idempotency-Key. */
  readonly digest: string;
};

/** Places for bodies by size; small bodies need none. `work`: for large bodies that are complete. */
export type BodyGates = {
  readonly small: Gate;
  readonly middle: Gate;
  readonly large: Gate;
  readonly work: Gate;
};

/**
 * Together they bound the memory of bodies: 64 + 64 + 256 MiB, half of it for one owner, and two large ones
 * at once being parsed.
 */
export function createBodyGates(): BodyGates {
  return { small: createGate(256), middle: createGate(32), large: createGate(16), work: createGate(2) };
}

/** `hold` receives the function that returns a place once the answer is sent. */
export type BodyRoom = {
  readonly gates: BodyGates;
  readonly owner: string;
  readonly signal: AbortSignal;
  readonly hold: (leave: () => void) => void;
};

/**
 * Reads a body within its limit. It waits for a place once it exceeds the size that needs none, whatever
 * length it announced; a slow sender holds only what it has sent. `look` sees each part as it arrives, and
 * refuses the body by throwing.
 */
export async function readRawBody(
  message: IncomingMessage,
  room: BodyRoom,
  look: (chunk: Uint8Array) => void = () => undefined,
): Promise<RawBody> {
  const announced = Number(message.headers["content-length"] ?? 0);
  if (announced > MAX_BODY_BYTES) throw tooLarge();
  const places = createPlaces(room);
  const hash = createHash("sha256");
  let bytes = new Uint8Array(Math.min(announced, SMALL_BODY_BYTES));
  let length = 0;
  for await (const chunk of message.iterator({ destroyOnReturn: false })) {
    if (!(chunk instanceof Uint8Array)) continue;
    const end = length + chunk.byteLength;
    if (end > MAX_BODY_BYTES) throw tooLarge();
    await places.takeFor(end);
    look(chunk);
    hash.update(chunk);
    if (end > bytes.byteLength) bytes = larger(bytes, end, announced);
    bytes.set(chunk, length);
    length = end;
  }
  await roomToWork(length, room);
  return { bytes: bytes.subarray(0, length), digest: hash.digest("hex") };
}

/** For a complete body. */
async function roomToWork(bytes: number, { gates, owner, signal, hold }: BodyRoom): Promise<void> {
  if (bytes > LARGE_BODY_BYTES) hold(await gates.work.enter(owner, signal));
}

/** The place for a size is returned for that of the next size. */
function createPlaces({ gates, owner, signal, hold }: BodyRoom) {
  const steps = [
    { above: SMALL_BODY_BYTES, gate: gates.small },
    { above: MIDDLE_BODY_BYTES, gate: gates.middle },
    { above: LARGE_BODY_BYTES, gate: gates.large },
  ];
  let taken = 0;
  let leaveLast = () => {};
  return {
    takeFor: async (length: number) => {
      const needed = steps.findLastIndex(({ above }) => length > above) + 1;
      const step = needed > taken ? steps[needed - 1] : undefined;
      if (step === undefined) return;
      const leave = await step.gate.enter(owner, signal);
      leaveLast();
      leaveLast = leave;
      taken = needed;
      hold(leave);
    },
  };
}

/** Twice the room; the whole of it for a large body with a known length. */
function larger(bytes: Uint8Array, needed: number, announced: number): Uint8Array<ArrayBuffer> {
  const most = needed <= announced ? announced : MAX_BODY_BYTES;
  const wanted = needed > LARGE_BODY_BYTES && needed <= announced ? announced : 2 * bytes.byteLength;
  const grown = new Uint8Array(Math.min(most, Math.max(needed, wanted)));
  grown.set(bytes);
  return grown;
}

function tooLarge(): ApiError {
  return new ApiError("PAYLOAD_TOO_LARGE", "The body is larger than 16 MiB");
}
