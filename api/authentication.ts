import type { FastifyRequest } from "fastify";
import type { ApiDeps } from "./deps.ts";
import { ApiError } from "./errors.ts";
import { allows } from "./scopes.ts";

const BEARER = /^Bearer +([\x21-\x7e]{1,512})$/i;

/** Missing, malformed, unknown, expired and revoked keys read the same (docs/api.md §2). */
export async function authenticate(
  { configuration }: Pick<ApiDeps, "configuration">,
  request: FastifyRequest,
): Promise<void> {
  const key = BEARER.exec(request.headers.authorization ?? "")?.[1];
  const verified = key === undefined ? null : await configuration.apiKeys.verify(key);
  if (verified === null) {
    throw new ApiError("UNAUTHORIZED", "Send a valid API key as Authorization: Bearer <API_KEY>");
  }
  const { owner, keyId, scopes } = verified;
  request.caller = { owner, actor: keyId, scopes, correlationId: request.id };
}

export function requireScope(request: FastifyRequest): void {
  const needed = request.routeOptions.config.scope;
  if (needed === undefined || (request.caller !== null && allows(request.caller.scopes, needed))) return;
  throw new ApiError("FORBIDDEN", `The API key lacks the scope ${needed}`);
}

/** Everything under it needs a key, also what does not exist. */
export function isVersionedPath(url: string): boolean {
  return /^\/api\/v1(?:[/?#]|$)/.test(url);
}
