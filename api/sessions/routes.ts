import type { FastifyReply, FastifyRequest } from "fastify";
import type { OpenSession } from "../../application/ports/configuration/sessions.ts";
import { type SessionRecord, sessionRoutes } from "../../contract/session.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOfSession } from "../authentication.ts";
import type { ApiDeps, DashboardSettings } from "../deps.ts";
import { ApiError } from "../errors.ts";
import { of } from "../route.ts";
import { refuseOtherSites } from "../same-origin.ts";
import { cookieOf, tokenOf } from "../session-cookie.ts";
import { failedSignIns } from "./failed-sign-ins.ts";

/** The most bytes read of a sign-in, whose sender is still unknown. */
const MOST_BYTES = 4_096;

/** Sign-in with a browser: an API key for a cookie that no script can read. */
export function registerSessions(api: Api, deps: ApiDeps, dashboard: DashboardSettings): void {
  api.addHook("onRequest", async ({ headers, routeOptions }) => {
    if (routeOptions.config.ownSession !== true) return;
    const length =
      headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : Number.NaN;
    if (!(length <= MOST_BYTES))
      throw new ApiError("PAYLOAD_TOO_LARGE", `More than ${MOST_BYTES} bytes to sign in`);
  });
  registerSignIn(api, deps, dashboard);
  api.route({
    ...of(sessionRoutes.getSession),
    handler: async (request) => {
      const current = await currentSession(deps, dashboard, request);
      if (current === null) throw signedOutError();
      request.caller = callerOfSession(request, current);
      return data(shown(current));
    },
  });
  api.route({
    ...of(sessionRoutes.endSession),
    handler: async (request, reply) => {
      refuseOtherSites(request, dashboard, "refused");
      const current = await currentSession(deps, dashboard, request);
      if (current !== null) {
        await deps.configuration.sessions.close(current.sessionId);
        deps.openStreams.end(({ sessionId }) => sessionId === current.sessionId, "session_ended");
      }
      setCookie(reply, cookieOf(dashboard, null));
      return data({ signedOut: true as const });
    },
  });
}

function registerSignIn(api: Api, deps: ApiDeps, dashboard: DashboardSettings): void {
  const { apiKeys, sessions } = deps.configuration;
  const failures = failedSignIns(deps.clock);
  api.route({
    ...of(sessionRoutes.startSession),
    handler: async (request, reply) => {
      refuseOtherSites(request, dashboard, tokenOf(request, dashboard) === null ? "allowed" : "refused");
      failures.refuse(request.ip);
      const verified = await apiKeys.verify(request.body.apiKey);
      const opened = verified === null ? null : await sessions.open(verified.keyId);
      if (opened === null) {
        failures.failed(request.ip);
        throw new ApiError("UNAUTHORIZED", "This is not a valid API key", { headers: {} });
      }
      setCookie(reply, cookieOf(dashboard, opened.token));
      reply.code(201);
      return data(shown(opened.session));
    },
  });
}

async function currentSession(
  { configuration: { sessions } }: ApiDeps,
  dashboard: DashboardSettings,
  request: FastifyRequest,
): Promise<OpenSession | null> {
  const token = request.headers.authorization === undefined ? tokenOf(request, dashboard) : null;
  return token === null ? null : sessions.verify(token);
}

function signedOutError(): ApiError {
  return new ApiError("UNAUTHORIZED", "There is no session; sign in", { headers: {} });
}

function setCookie(reply: FastifyReply, cookie: string): void {
  reply.header("Set-Cookie", cookie).header("Cache-Control", "no-store");
}

function shown({ sessionId: _id, ...session }: OpenSession): SessionRecord {
  return session;
}
