import type { FastifyRequest } from "fastify";
import type { UpgradeRequest } from "../application/ports/entrances.ts";

export function upgradeRequest({ url, headers, params, query }: FastifyRequest): UpgradeRequest {
  return { url, headers, params: texts(params), query: texts(query) };
}

/** A repeated header is ambiguous for a signature, so it is left out. */
function texts(given: unknown): Readonly<Record<string, string>> {
  if (typeof given !== "object" || given === null) return {};
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
