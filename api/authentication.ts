import type { FastifyRequest } from "fastify";
import type { OpenSession } from "../application/ports/configuration/sessions.ts";
import { ANY_SCOPE, allows } from "../contract/scopes.ts";
import type { ApiDeps } from "./deps.ts";
import { ApiError } from "./errors.ts";
import { refuseOtherSites } from "./same-origin.ts";
import { tokenOf } from "./session-cookie.ts";

const BEARER = /^Bearer +([\x21-\x7e]{1,512})$/i;

type AuthenticationDeps = Pick<ApiDeps, "configuration"> & {
  readonly settings: Pick<ApiDeps["settings"], "dashboard">;
};

/**
 * Missing, malformed, unknown, expired and revoked keys get the same answer (docs/api.md §2). With an
 * Authorization header only that is used, whatever the cookie.
 */
export async function authenticate(deps: AuthenticationDeps, request: FastifyRequest): Promise<void> {
  const { authorization } = request.headers;
  if (authorization === undefined && (await authenticateByCookie(deps, request))) return;
  const key = BEARER.exec(authorization ?? "")?.[1];
  const verified = key === undefined ? null : await deps.configuration.apiKeys.verify(key);
  if (verified === null) {
    throw new ApiError("UNAUTHORIZED", "Send a valid API key as Authorization: Bearer <API_KEY>");
  }
  const { owner, keyId, scopes } = verified;
  request.caller = { owner, actor: keyId, scopes, correlationId: request.id };
}

/** False: there is no session. Requests that may change something must come from a page of this service. */
async function authenticateByCookie(
  { configuration: { sessions }, settings }: AuthenticationDeps,
  request: FastifyRequest,
): Promise<boolean> {
  const dashboard = settings.dashboard ?? null;
  const token = dashboard === null ? null : tokenOf(request, dashboard);
  const session = token === null ? null : await sessions.verify(token);
  if (dashboard === null || session === null) return false;
  const reads = request.method === "GET" || request.method === "HEAD";
  if (!reads || request.headers.upgrade !== undefined) refuseOtherSites(request, dashboard, "refused");
  request.caller = callerOfSession(request, session);
  request.sessionId = session.sessionId;
  return true;
}

/** The actor of a session is its key. */
export function callerOfSession(
  { id: correlationId }: FastifyRequest,
  { owner, keyId, scopes }: OpenSession,
): NonNullable<FastifyRequest["caller"]> {
  return { owner: owner.id, actor: keyId, scopes, correlationId };
}

export function requireScope(request: FastifyRequest): void {
  const needed = request.routeOptions.config.scope;
  if (needed === undefined || needed === ANY_SCOPE) return;
  if (request.caller !== null && allows(request.caller.scopes, needed)) return;
  throw new ApiError("FORBIDDEN", `The API key lacks the scope ${needed}`);
}

/** Everything under it needs a key, also paths that do not exist. */
export function isVersionedPath(url: string): boolean {
  return /^\/api\/v1(?:[/?#]|$)/.test(url);
}
