import type { FastifyReply, FastifyRequest } from "fastify";
import { type Position, START } from "../application/ports/event-store.ts";
import type { Heard } from "../application/ports/queries.ts";
import type { Api } from "./api.ts";
import type { ApiDeps } from "./deps.ts";
import { ApiError, validationError } from "./errors.ts";

/** How long a write waits for the read models, and a GET for its minimal position (docs/api.md §1). */
const WAIT_MILLIS = 2_000;
/** Public name of the position before every event, because a header cannot be empty. */
const START_NAME = "start";
const HEADER = "X-Event-Position";

export function positionText(position: Position): string {
  return position === START ? START_NAME : position;
}

/** null: not a position of this log. */
export function parsePosition({ queries }: Pick<ApiDeps, "queries">, text: string): Position | null {
  return text === START_NAME ? START : queries.parsePosition(text);
}

/**
 * True: the read models have reached the write's position; false: not within 2 s, or some model has no rows
 * yet. The answer names the position either way.
 */
export async function readYourOwnWrite(
  { queries }: Pick<ApiDeps, "queries">,
  reply: FastifyReply,
  position: Position,
): Promise<boolean> {
  reply.header(HEADER, positionText(position));
  return position === START || (await queries.caughtUp(position, WAIT_MILLIS)) === "all";
}

/** After a write of configuration: the current position of the log. */
export async function configurationWritten(
  { eventStore }: Pick<ApiDeps, "eventStore">,
  reply: FastifyReply,
): Promise<void> {
  reply.header(HEADER, positionText(await eventStore.head()));
}

/** Adds the position of the answer as a header. */
export function telling(reply: FastifyReply): Heard {
  return (position) => void reply.header(HEADER, positionText(position));
}

/** For a GET that reads no read model, such as configuration: the position that this process knows. */
export function registerKnownPosition(api: Api, { queries }: Pick<ApiDeps, "queries">): void {
  api.addHook("onSend", async (request, reply, payload) => {
    const reads = request.method === "GET" || request.method === "HEAD";
    if (!reads || request.caller === null || reply.statusCode !== 200 || reply.hasHeader(HEADER))
      return payload;
    if (String(reply.getHeader("content-type")).startsWith("application/json"))
      reply.header(HEADER, positionText(await queries.knownPosition()));
    return payload;
  });
}

/** X-Min-Event-Position of a GET. */
export async function awaitMinimalPosition(
  { queries }: Pick<ApiDeps, "queries">,
  request: FastifyRequest,
): Promise<void> {
  const text = request.headers["x-min-event-position"];
  if (text === undefined) return;
  const position = typeof text === "string" && text.length <= 128 ? parsePosition({ queries }, text) : null;
  if (position === null) {
    throw validationError("The request", [
      { path: ["X-Min-Event-Position"], message: "Must be a position that a write answered" },
    ]);
  }
  if (position === START || (await queries.caughtUp(position, WAIT_MILLIS)) !== "behind") return;
  throw readModelBehind();
}

export function readModelBehind(): ApiError {
  return new ApiError("READ_MODEL_BEHIND", "The read models have not reached this position yet; try again");
}
