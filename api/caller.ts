import type { FastifyRequest } from "fastify";
import type { Caller } from "../application/outcome.ts";
import type { ApiKeyScope } from "../contract/scopes.ts";
import { ApiError } from "./errors.ts";

/** The caller of a request; every route under /api/v1 has one. */
export function callerOf(request: FastifyRequest): Caller & { readonly scopes: readonly ApiKeyScope[] } {
  if (request.caller === null) throw new ApiError("UNAUTHORIZED", "An API key is needed");
  return request.caller;
}
