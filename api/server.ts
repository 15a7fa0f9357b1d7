import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { fastifyCookie } from "@fastify/cookie";
import Fastify, { type FastifyReply, type FastifyRequest, type FastifySchemaCompiler } from "fastify";
import { z } from "zod";
import type { Ids } from "../application/ports/ids.ts";
import { registerAccount } from "./account/routes.ts";
import { cutIdleReaders, registerAnswerRoom } from "./answer-room.ts";
import type { Api, ApiTypeProvider } from "./api.ts";
import { registerApiKeys } from "./api-keys/routes.ts";
import { registerAssistants } from "./assistants/routes.ts";
import { authenticate, isVersionedPath, requireScope } from "./authentication.ts";
import { registerBodies } from "./bodies.ts";
import { createBodyGates, MAX_BODY_BYTES } from "./body/raw-body.ts";
import { createBodyChecks } from "./body-checks/check-pool.ts";
import { registerCalls } from "./calls/routes.ts";
import { registerCampaigns } from "./campaigns/routes.ts";
import { answerClientError, tooSlow } from "./client-error.ts";
import { CONNECTION_LIMITS, limitConnections } from "./connection-limits.ts";
import { registerConnections } from "./connections/routes.ts";
import { registerAssets, sendPage, wantsPage } from "./dashboard/pages.ts";
import type { ApiDeps } from "./deps.ts";
import { asApiError, errorHandler, sendError } from "./error-handler.ts";
import { ApiError, validationError } from "./errors.ts";
import { createExchange } from "./exchange.ts";
import { registerHistory } from "./history/routes.ts";
import { registerNumbers } from "./numbers/routes.ts";
import { registerOpenApi } from "./openapi.ts";
import { registerPersonalData } from "./personal-data/routes.ts";
import { registerPhone } from "./phone/routes.ts";
import { registerPhoneNumbers } from "./phone-numbers/routes.ts";
import { registerPolicy } from "./policy/routes.ts";
import { registerVerifications } from "./policy/verification-routes.ts";
import { awaitMinimalPosition, registerKnownPosition } from "./positions.ts";
import { problemDetails } from "./problem-details.ts";
import { createRateLimiter, type RateLimiter } from "./rate-limit.ts";
import { registerRehearsals } from "./rehearsals/routes.ts";
import { registerRequestEntrances } from "./request-entrances.ts";
import { askForBody, expectContinue, readRest, refuseDoubtfulBody } from "./request-rest.ts";
import { registerSearch } from "./search/routes.ts";
import { registerSecrets } from "./secrets/routes.ts";
import { registerService } from "./service/routes.ts";
import { registerSessions } from "./sessions/routes.ts";
import { PATIENCE, type Patience, watchSlowClients } from "./slow-clients.ts";
import { registerSocketEntrances, registerWebSockets } from "./socket-entrances.ts";
import { registerSquads } from "./squads/routes.ts";
import { registerListNumbers } from "./suppression-lists/numbers-route.ts";
import { registerSuppressionLists } from "./suppression-lists/routes.ts";
import { registerSuppressions } from "./suppressions/routes.ts";
import { registerTools } from "./tools/routes.ts";
import { registerUsers } from "./users/routes.ts";
import { registerWebhooks } from "./webhooks/routes.ts";

const MAX_HEADERS = 100;
const MAX_HEADER_BYTES = 16 * 1024;
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;
const SCHEME_AND_HOST = /^https?:\/\/[^/?#]*/i;
const UNRESERVED = /%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/gi;

/** The contract over HTTP (seed, docs/api.md). Does not listen yet; `close` ends its workers. */
export function buildServer(deps: ApiDeps, patience = PATIENCE, connections = CONNECTION_LIMITS): Api {
  const refuse = answerClientError(deps.ids);
  const api = bareServer(deps, patience, refuse);
  limitConnections(api.server, deps.settings.trustedProxies ?? [], connections);
  watchSlowClients(api.server, deps.clock, patience, (socket) => refuse(tooSlow(), socket));
  cutIdleReaders(api.server, patience.answer.taken);
  expectContinue(api.server);
  const bodies = { checks: createBodyChecks(), gates: createBodyGates() };
  api.addHook("onClose", () => bodies.checks.close());
  api.decorateRequest("caller", null);
  api.decorateRequest("sessionId", null);
  api.decorateRequest("exchange", null);
  api.decorateRequest("bodyDigest", "");
  api.setValidatorCompiler(validatorCompiler);
  api.setSerializerCompiler(() => (data) => JSON.stringify(data));
  api.setErrorHandler(errorHandler(deps.logger));
  api.setNotFoundHandler(() => {
    throw noSuchRoute();
  });
  registerHooks(api, deps, createRateLimiter(api, deps));
  registerHead(api);
  registerKnownPosition(api, deps);
  registerAnswerRoom(api, deps.clock, patience.answer.room);
  api.addHook("preParsing", async ({ raw, routeOptions }, reply) =>
    askForBody({ request: raw, response: reply.raw }, routeOptions.config.mostBytes),
  );
  api.addHook("onSend", async ({ raw }, reply) =>
    readRest({ request: raw, response: reply.raw }, deps.clock, patience.discard),
  );
  // It only parses and serialises cookies; their content is checked with the key.
  api.register(fastifyCookie, { hook: false });
  registerBodies(api, bodies);
  registerOpenApi(api);
  registerWebSockets(api);
  api.register(async (scoped: Api) => registerRoutes(scoped, deps, bodies));
  return api;
}

function registerRoutes(scoped: Api, deps: ApiDeps, bodies: Parameters<typeof registerCampaigns>[2]): void {
  if (deps.dashboard !== null) registerAssets(scoped, deps.dashboard);
  registerService(scoped, deps);
  registerCalls(scoped, deps);
  registerCampaigns(scoped, deps, bodies);
  registerSquads(scoped, deps);
  registerAssistants(scoped, deps);
  registerPhoneNumbers(scoped, deps);
  registerTools(scoped, deps);
  registerSecrets(scoped, deps);
  registerConnections(scoped, deps);
  registerSuppressions(scoped, deps);
  registerSuppressionLists(scoped, deps);
  registerListNumbers(scoped, deps);
  registerPolicy(scoped, deps);
  registerVerifications(scoped, deps);
  registerRehearsals(scoped, deps);
  registerWebhooks(scoped, deps);
  registerHistory(scoped, deps);
  registerSearch(scoped, deps);
  registerNumbers(scoped, deps);
  registerAccount(scoped, deps);
  registerApiKeys(scoped, deps);
  registerPersonalData(scoped, deps);
  registerUsers(scoped, deps);
  registerPhone(scoped, deps);
  registerSocketEntrances(scoped, deps.entrances);
  registerRequestEntrances(scoped, deps.requestEntrances ?? []);
  const { dashboard = null } = deps.settings;
  if (dashboard !== null) registerSessions(scoped, deps, dashboard);
}

type Refuse = ReturnType<typeof answerClientError>;

function bareServer(deps: ApiDeps, patience: Patience, refuse: Refuse): Api {
  return Fastify({
    logger: false,
    genReqId: (message) => requestIdOf(deps.ids, message),
    requestIdHeader: false,
    bodyLimit: MAX_BODY_BYTES,
    exposeHeadRoutes: true,
    trustProxy: [...(deps.settings.trustedProxies ?? [])],
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      requireHostHeader: false,
      // Only for a header that arrived together with the previous request;
      // `watchSlowClients` covers the others.
      headersTimeout: patience.firstByte + patience.header,
      connectionsCheckingInterval: patience.checkEvery,
    },
    requestTimeout: 0,
    keepAliveTimeout: 72_000,
    return503OnClosing: false,
    clientErrorHandler: refuse,
    rewriteUrl: ({ url = "/" }) => plainTarget(url),
    frameworkErrors: (error, request, reply) => void answerFrameworkError(deps, error, request, reply),
  }).withTypeProvider<ApiTypeProvider>();
}

/** X-Request-Id as sent, if it is valid; else a new one. */
function requestIdOf(ids: Ids, message: Pick<IncomingMessage, "headers">): string {
  const given = message.headers["x-request-id"];
  return typeof given === "string" && REQUEST_ID.test(given) ? given : ids.uuid();
}

/**
 * Normalises the target of a request to path and query: without scheme and host (RFC 9112 §3.2.2), and
 * without `%` for characters that need none in a path (RFC 3986 §6.2.2.2). So everything that leads to a
 * route is checked like the route's own path.
 */
function plainTarget(target: string): string {
  const local = target.replace(SCHEME_AND_HOST, "");
  const [path = "", ...query] = local.split("?");
  const plain = path.replace(UNRESERVED, decodeURIComponent);
  return [plain === "" ? "/" : plain, ...query].join("?");
}

/** A URL that cannot be parsed: the key is checked first, as everywhere under /api/v1. */
async function answerFrameworkError(
  deps: ApiDeps,
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  reply.header("X-Request-Id", request.id).header("X-Content-Type-Options", "nosniff");
  try {
    refuseDoubtfulBody({ request: request.raw, response: reply.raw });
    if (isVersionedPath(request.url)) await authenticate(deps, request);
    throw error;
  } catch (cause) {
    sendError(reply, asApiError(cause) ?? new ApiError("INTERNAL_ERROR", "Something went wrong on our side"));
  }
}

function registerHooks(api: Api, deps: ApiDeps, limit: RateLimiter): void {
  api.addHook("onRequest", async (request, reply) => {
    reply.header("X-Request-Id", request.id).header("X-Content-Type-Options", "nosniff");
    request.exchange = createExchange(reply.raw);
    refuseDoubtfulBody({ request: request.raw, response: reply.raw });
    const { headers, httpVersion } = request.raw;
    if (headers.host === undefined && httpVersion === "1.1") {
      throw validationError("The request", [{ path: ["Host"], message: "Required" }]);
    }
    if (request.raw.rawHeaders.length > MAX_HEADERS * 2) {
      throw new ApiError("HEADERS_TOO_LARGE", `More than ${MAX_HEADERS} headers`);
    }
    const { scope, ownSession } = request.routeOptions.config;
    if ((isVersionedPath(request.url) || scope !== undefined) && ownSession !== true) {
      await authenticate(deps, request);
      await limit(request, reply);
    }
    if (request.is404) {
      if (deps.dashboard === null || !wantsPage(request) || isVersionedPath(request.url)) throw noSuchRoute();
      return sendPage(deps.dashboard, request, reply);
    }
    requireScope(request);
  });
  api.addHook("preHandler", async (request) => {
    if ((request.method === "GET" || request.method === "HEAD") && request.caller !== null)
      await awaitMinimalPosition(deps, request);
  });
  api.addHook("onResponse", async (request, reply) => {
    // No second request is read from a connection whose upgrade was refused.
    if (request.headers.upgrade !== undefined && reply.statusCode >= 400) request.raw.socket.destroySoon();
    const route = request.routeOptions.url ?? "unknown";
    const labels = { method: request.method, route, status: String(reply.statusCode) };
    deps.metrics.count("ringfold_http_requests_total", labels);
    deps.metrics.observe("ringfold_http_request_duration_seconds", reply.elapsedTime / 1000, {
      method: request.method,
      route,
    });
    const millis = Math.round(reply.elapsedTime);
    deps.logger[isWorthALine(request, reply, millis) ? "info" : "debug"](
      { ...labels, millis, requestId: request.id, key: request.caller?.actor },
      "request answered",
    );
  });
}

const SLOW_MILLIS = 1_000;

/**
 * Whether an operator wants to see it: it failed, changed something, or was slow. What the dashboard reads is
 * none of it, nor its question whether somebody is signed in, nor what a carrier reports of each call, and
 * neither is a stream, which lasts as long as its reader.
 */
function isWorthALine(request: FastifyRequest, reply: FastifyReply, millis: number): boolean {
  const { quietAt, ownSession } = request.routeOptions.config;
  const onlyReads = request.method === "GET" || request.method === "HEAD";
  if (!onlyReads && quietAt?.includes(reply.statusCode) !== true) return true;
  if (request.sessionId !== null || ownSession === true) return false;
  const isStream = String(reply.getHeader("content-type") ?? "").startsWith("text/event-stream");
  return reply.statusCode >= 400 || (millis > SLOW_MILLIS && !isStream);
}

/**
 * HEAD answers on every GET route as GET without its body: the framework adds the routes. Streams that GET
 * would send (events, a file) end here before their first byte, so that nothing is left running.
 */
function registerHead(api: Api): void {
  api.addHook("onSend", async (request, _reply, payload) => {
    if (request.method === "HEAD" && payload instanceof Readable) payload.destroy();
    return payload;
  });
}

/**
 * Checks query and path with their zod schemas; bodies were checked before (api/bodies.ts). Errors name each
 * problem with its path.
 */
const validatorCompiler: FastifySchemaCompiler<unknown> = ({ schema, httpPart }) => {
  if (httpPart === "body" || !(schema instanceof z.ZodType)) return (value: unknown) => ({ value });
  return (value: unknown) => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return { value: parsed.data };
    return { error: validationError("The query", problemDetails(parsed.error.issues)) };
  };
};

function noSuchRoute(): ApiError {
  return new ApiError("NOT_FOUND", "No such route");
}
