import type { IncomingMessage } from "node:http";
import type { Ids } from "../application/ports/ids.ts";

const VISIBLE = /^[\x21-\x7e]{1,128}$/;

/** X-Request-Id as sent, if it is valid; else a new one. */
export function requestIdOf(ids: Ids, message: Pick<IncomingMessage, "headers">): string {
  const given = message.headers["x-request-id"];
  return typeof given === "string" && VISIBLE.test(given) ? given : ids.uuid();
}
