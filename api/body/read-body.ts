import type { FastifyRequest } from "fastify";
import { ApiError } from "../errors.ts";
import { exchangeOf } from "../exchange.ts";
import { type BodyGates, type BodyRoom, readRawBody } from "./raw-body.ts";

/** Reads a body; its places are returned after the answer. */
export async function readBody(
  gates: BodyGates,
  request: FastifyRequest,
  payload: FastifyRequest["raw"],
  look?: (chunk: Uint8Array) => void,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer> }> {
  const coding = request.headers["content-encoding"] ?? "identity";
  if (coding !== "identity") {
    throw new ApiError("UNSUPPORTED_MEDIA_TYPE", "Send the body as it is, without Content-Encoding");
  }
  const body = await readRawBody(payload, bodyRoom(gates, request), look);
  request.bodyDigest = body.digest;
  return { bytes: body.bytes };
}

/** The places that this request's body waits for, and returns after the answer. */
function bodyRoom(gates: BodyGates, request: FastifyRequest): BodyRoom {
  const { signal, afterwards } = exchangeOf(request);
  return { gates, owner: ownerOf(request), signal: signal(), hold: afterwards };
}

/** One owner gets at most half of each room; all requests without a key count as one owner. */
export function ownerOf({ caller }: FastifyRequest): string {
  return caller?.owner ?? "";
}

export function bytesOf(body: unknown): Uint8Array<ArrayBuffer> {
  const holder: { readonly bytes?: unknown } = typeof body === "object" && body !== null ? body : {};
  return isBytes(holder.bytes) ? holder.bytes : new Uint8Array(0);
}

function isBytes(value: unknown): value is Uint8Array<ArrayBuffer> {
  return value instanceof Uint8Array && value.buffer instanceof ArrayBuffer;
}
