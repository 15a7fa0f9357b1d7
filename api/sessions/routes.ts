import type { FastifyReply, FastifyRequest } from "fastify";
import type { SessionRecord } from "../../application/ports/configuration/sessions.ts";
import { answer } from "../../contract/fields.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOfSession } from "../authentication.ts";
import type { ApiDeps, DashboardSettings } from "../deps.ts";
import { ApiError } from "../errors.ts";
import { refuseOtherSites } from "../same-origin.ts";
import { cookieOf, tokenOf } from "../session-cookie.ts";
import { failedSignIns } from "./failed-sign-ins.ts";
import { session, signedOut, signInBody } from "./schemas.ts";

const TAGS = ["sessions"];

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
  api.get(
    "/api/v1/session",
    {
      schema: {
        operationId: "getSession",
        summary: "Whose session the cookie is",
        description: "A request with Authorization has none: its cookie is not looked at.",
        tags: TAGS,
        response: { 200: answer(session) },
      },
      config: { ownSession: true, errors: ["UNAUTHORIZED"] },
    },
    async (request) => {
      const current = await currentSession(deps, dashboard, request);
      if (current === null) throw signedOutError();
      request.caller = callerOfSession(request, current);
      return data(shown(current));
    },
  );
  api.delete(
    "/api/v1/session",
    {
      schema: {
        operationId: "endSession",
        summary: "Signs out; may be repeated",
        tags: TAGS,
        response: { 200: answer(signedOut) },
      },
      config: { ownSession: true, errors: ["CROSS_SITE"] },
    },
    async (request, reply) => {
      refuseOtherSites(request, dashboard, "refused");
      const current = await currentSession(deps, dashboard, request);
      if (current !== null) {
        await deps.configuration.sessions.close(current.sessionId);
        deps.openStreams.end(({ sessionId }) => sessionId === current.sessionId, "session_ended");
      }
      setCookie(reply, cookieOf(dashboard, null));
      return data({ signedOut: true as const });
    },
  );
}

function registerSignIn(api: Api, deps: ApiDeps, dashboard: DashboardSettings): void {
  const { apiKeys, sessions } = deps.configuration;
  const failures = failedSignIns(deps.clock);
  api.post(
    "/api/v1/session",
    {
      schema: {
        operationId: "startSession",
        summary: "Signs a browser in with an API key",
        description:
          "The answer sets a cookie, which stands for the key in every request without Authorization. Ten failures a minute from one address, and it is asked to wait.",
        tags: TAGS,
        body: signInBody,
        response: { 201: answer(session) },
      },
      config: {
        ownSession: true,
        errors: ["UNAUTHORIZED", "CROSS_SITE", "RATE_LIMIT_EXCEEDED"],
      },
    },
    async (request, reply) => {
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
  );
}

async function currentSession(
  { configuration: { sessions } }: ApiDeps,
  dashboard: DashboardSettings,
  request: FastifyRequest,
): Promise<SessionRecord | null> {
  const token = request.headers.authorization === undefined ? tokenOf(request, dashboard) : null;
  return token === null ? null : sessions.verify(token);
}

function signedOutError(): ApiError {
  return new ApiError("UNAUTHORIZED", "There is no session; sign in", { headers: {} });
}

function setCookie(reply: FastifyReply, cookie: string): void {
  reply.header("Set-Cookie", cookie).header("Cache-Control", "no-store");
}

function shown({ sessionId: _id, ...session }: SessionRecord): Omit<SessionRecord, "sessionId"> {
  return session;
}
