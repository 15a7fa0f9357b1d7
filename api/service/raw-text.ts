import type { FastifyRequest } from "fastify";
import { ApiError } from "../errors.ts";

const MAX_BYTES = 1024 * 1024;

/** The text as it was signed. */
export async function readRawText(_request: FastifyRequest, payload: FastifyRequest["raw"]): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of payload) {
    if (!(chunk instanceof Uint8Array)) continue;
    length += chunk.byteLength;
    if (length > MAX_BYTES) throw new ApiError("PAYLOAD_TOO_LARGE", "The callback is larger than 1 MiB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
