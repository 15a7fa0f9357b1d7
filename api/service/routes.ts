import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { type ReadinessRecord, serviceRoutes } from "../../contract/service.ts";
import manifest from "../../package.json" with { type: "json" };
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { type DashboardPages, sendPage, wantsPage } from "../dashboard/pages.ts";
import type { ApiDeps, ReadinessCheck } from "../deps.ts";
import { ApiError } from "../errors.ts";
import { of } from "../route.ts";

/** docs/api.md §9: no key needed. */
export function registerService(api: Api, deps: ApiDeps): void {
  registerRoot(api, deps.dashboard);
  api.route({
    ...of(serviceRoutes.getLiveness),
    handler: async () => data({ status: "live" as const }),
  });
  api.route({
    ...of(serviceRoutes.getReadiness),
    handler: async (_request, reply) => {
      const checks = await Promise.all(deps.readiness.map(outcomeOf));
      if (checks.every(({ ok }) => ok)) return data({ status: "ready" as const, checks });
      const failing = checks.filter(({ ok }) => !ok).map(({ name }) => name);
      reply.code(503).header("Retry-After", "1");
      return {
        success: false as const,
        error: { code: "NOT_READY" as const, message: `Not ready: ${failing.join(", ")}` },
        data: { status: "not_ready" as const, checks },
      };
    },
  });
  api.route({
    ...of(serviceRoutes.getMetrics),
    handler: async (_request, reply) => {
      reply.type("text/plain; version=0.0.4; charset=utf-8");
      return reply.send(await deps.metricsText());
    },
  });
  registerDocument(api);
  registerCarrierCallbacks(api, deps);
}

/** The document as bytes, made once; it changes only with the release. */
function registerDocument(api: Api): void {
  let made: { readonly bytes: Buffer; readonly tag: string } | null = null;
  api.get("/openapi.json", { schema: { hide: true } }, async (request, reply) => {
    const bytes = made?.bytes ?? Buffer.from(JSON.stringify(api.swagger()));
    made ??= { bytes, tag: `"${createHash("sha256").update(bytes).digest("base64url")}"` };
    const { tag } = made;
    reply.headers({ ETag: tag, "Cache-Control": "no-cache" });
    if (request.headers["if-none-match"]?.includes(tag) === true) return reply.code(304).send();
    return reply.type("application/json; charset=utf-8").send(bytes);
  });
}

async function outcomeOf({ name, check }: ReadinessCheck): Promise<ReadinessRecord> {
  try {
    return { name, ...(await check()) };
  } catch (error) {
    return { name, ok: false, detail: { problem: error instanceof Error ? error.message : "unknown" } };
  }
}

/** Callbacks of the separate carrier program; without a signature by the registered secret they are 401. */
function registerCarrierCallbacks(api: Api, { carrierCallbacks }: ApiDeps): void {
  if (carrierCallbacks === null) return;
  api.register(async (scoped: Api) => {
    scoped.removeAllContentTypeParsers();
    scoped.addContentTypeParser("*", readRawText);
    scoped.post(
      "/carrier/simulated/events",
      { schema: { hide: true }, config: { quietAt: [204] } },
      async (request, reply) => {
        const body = typeof request.body === "string" ? request.body : "";
        const { status, message } = await carrierCallbacks.receive(request.headers, body);
        reply.code(status);
        return reply.send(status === 204 ? undefined : { success: false, error: message });
      },
    );
  });
}

const WAYS_ON = { docs: "/docs", openapi: "/openapi.json", health: "/health/ready" };

/**
 * For a client that knows only the address: a browser is redirected to the dashboard, or without one to the
 * pages of the API; a program gets a small record of what is here.
 */
function registerRoot(api: Api, dashboard: DashboardPages | null): void {
  api.get("/", { schema: { hide: true } }, async (request, reply) => {
    if (dashboard !== null && wantsPage(request)) return sendPage(dashboard, request, reply);
    reply.header("Vary", "Accept");
    if (wantsPage(request)) return reply.redirect(WAYS_ON.docs);
    return data({ name: "Ringfold", version: manifest.version, ...WAYS_ON });
  });
}

const MAX_BYTES = 1024 * 1024;

/** The text as it was signed. */
async function readRawText(_request: FastifyRequest, payload: FastifyRequest["raw"]): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of payload) {
    if (!(chunk instanceof Uint8Array)) continue;
    length += chunk.byteLength;
    if (length > MAX_BYTES) throw new ApiError("PAYLOAD_TOO_LARGE", "The callback is larger than 1 MiB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
