import type { FastifyRequest } from "fastify";
import { START } from "../../application/ports/event-store.ts";
import type { ApiDeps } from "../deps.ts";
import { parsePosition, readModelBehind } from "../positions.ts";

const WAIT_MILLIS = 2_000;

/**
 * X-Min-Event-Position of a GET that uses models which no write waits for; the header was already checked.
 */
export async function awaitBackground(
  { queries }: Pick<ApiDeps, "queries">,
  request: FastifyRequest,
): Promise<void> {
  const header = request.headers["x-min-event-position"];
  const position = typeof header === "string" ? parsePosition({ queries }, header) : null;
  if (position === null || position === START) return;
  if ((await queries.backgroundCaughtUp(position, WAIT_MILLIS)) === "behind") throw readModelBehind();
}
