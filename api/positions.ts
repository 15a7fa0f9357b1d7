import type { FastifyReply, FastifyRequest } from "fastify";
import { type Position, START } from "../application/ports/event-store.ts";
import type { ApiDeps } from "./deps.ts";
import { ApiError, validationError } from "./errors.ts";

/** How long a write waits for the read models, and a GET for the position it names (docs/api.md §1). */
const WAIT_MILLIS = 2_000;
/** The position before every event has a name of its own outside, because an empty header is none. */
const START_NAME = "start";

export function positionText(position: Position): string {
  return position === START ? START_NAME : position;
}

/** null: not a position of this log. */
export function parsePosition({ queries }: Pick<ApiDeps, "queries">, text: string): Position | null {
  return text === START_NAME ? START : queries.parsePosition(text);
}

/**
 * True: the read models have come to the write's position; false: the 2 s are over, or some model has no rows yet. The answer names the position
 * either way.
 */
export async function readYourOwnWrite(
  { queries }: Pick<ApiDeps, "queries">,
  reply: FastifyReply,
  position: Position,
): Promise<boolean> {
  reply.header("X-Event-Position", positionText(position));
  return position === START || (await queries.caughtUp(position, WAIT_MILLIS)) === "all";
}

/** A write of configuration: the log's position then. */
export async function configurationWritten(
  { eventStore }: Pick<ApiDeps, "eventStore">,
  reply: FastifyReply,
): Promise<void> {
  reply.header("X-Event-Position", positionText(await eventStore.head()));
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
  return new ApiError("READ_MODEL_BEHIND", "The read models have not come to this position yet; try again");
}
