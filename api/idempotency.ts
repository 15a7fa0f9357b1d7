import type { FastifyReply, FastifyRequest } from "fastify";
import type { Begun, KeptAnswer } from "../application/ports/idempotency.ts";
import type { JsonObject } from "../domain/shared/json.ts";
import { callerOf } from "./caller.ts";
import type { ApiDeps } from "./deps.ts";
import { ApiError, validationError } from "./errors.ts";
import { exchangeOf } from "./exchange.ts";

const VISIBLE = /^[\x21-\x7e]{1,255}$/;
const WAIT_MILLIS = 30_000;
const KEPT_HEADERS = ["x-event-position"];

export type OnceOptions<Answer> = {
  /** Ids of the new records; those stored with the key take precedence. */
  readonly ids: JsonObject;
  /**
   * `reserved`: the ids are stored with a key, so records with them may exist. Refusals are thrown
   * before anything is stored.
   */
  readonly make: (
    ids: JsonObject,
    reserved: boolean,
  ) => Promise<{ readonly status: number; readonly body: Answer }>;
  /** The answer for repeats, if it differs. */
  readonly kept?: (body: Answer) => Answer;
};

/**
 * Idempotency-Key (docs/api.md §1): the row with the ids is durable before anything is created; only 2xx
 * answers are stored; a refusal frees the key unless an earlier holder may have stored something with it.
 */
export async function once<Answer>(
  deps: Pick<ApiDeps, "idempotency">,
  request: FastifyRequest,
  reply: FastifyReply,
  { ids, make, kept = (body) => body }: OnceOptions<Answer>,
): Promise<Answer> {
  const key = keyOf(request);
  if (key === null) return sent(reply, await make(ids, false));
  const begun = await begin(deps, request, key, ids);
  if (begun.kind === "replay") return replayed(reply, begun.answer);
  if (begun.kind !== "claimed") throw conflict(begun.kind);
  const { claim, takenOver } = begun;
  try {
    const made = await make(begun.ids, true);
    await claim.complete({
      status: made.status,
      body: JSON.stringify(kept(made.body)),
      headers: keptHeaders(reply),
    });
    return sent(reply, made);
  } catch (error) {
    const nothingStored = error instanceof ApiError && error.status < 500 && !takenOver;
    await (nothingStored ? claim.free() : claim.abandon());
    throw error;
  }
}

function keyOf(request: FastifyRequest): string | null {
  const key = request.headers["idempotency-key"];
  if (key === undefined) return null;
  if (typeof key === "string" && VISIBLE.test(key)) return key;
  throw validationError("The request", [
    { path: ["Idempotency-Key"], message: "Must be 1 to 255 visible ASCII characters" },
  ]);
}

function begin(
  { idempotency }: Pick<ApiDeps, "idempotency">,
  request: FastifyRequest,
  key: string,
  ids: JsonObject,
): Promise<Begun> {
  const { owner } = callerOf(request);
  const path = request.url.split("?", 1)[0] ?? request.url;
  return idempotency.begin(
    { owner, method: request.method, path, key, bodyHash: request.bodyDigest, ids },
    { waitMillis: WAIT_MILLIS, signal: exchangeOf(request).signal() },
  );
}

function conflict(kind: "conflict" | "in_flight"): ApiError {
  return kind === "conflict"
    ? new ApiError("IDEMPOTENCY_CONFLICT", "This Idempotency-Key was used with another body")
    : new ApiError(
        "NOT_READY",
        "The first request with this Idempotency-Key is still in progress; try again",
      );
}

function sent<Answer>(
  reply: FastifyReply,
  { status, body }: { readonly status: number; readonly body: Answer },
): Answer {
  reply.code(status);
  return body;
}

/** The text was made from an Answer, and is sent as stored. */
function replayed<Answer>(reply: FastifyReply, { status, body, headers }: KeptAnswer): Answer {
  reply.code(status).headers(headers).header("Idempotent-Replayed", "true");
  return JSON.parse(body) as Answer;
}

function keptHeaders(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(
    KEPT_HEADERS.map((name) => [name, reply.getHeader(name)]).flatMap(([name, value]) =>
      typeof name === "string" && typeof value === "string" ? [[name, value]] : [],
    ),
  );
}
