import { createHash } from "node:crypto";
import { z } from "zod";
import { answer } from "../../contract/fields.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import type { ApiDeps, ReadinessCheck } from "../deps.ts";
import { readRawText } from "./raw-text.ts";
import { registerRoot } from "./root.ts";
import { live, notReady, ready } from "./schemas.ts";

const TAGS = ["service"];

/** docs/api.md §9: no key needed. */
export function registerService(api: Api, deps: ApiDeps): void {
  registerRoot(api, deps.dashboard);
  api.get(
    "/health/live",
    {
      schema: {
        operationId: "getLiveness",
        summary: "The process answers",
        tags: TAGS,
        response: { 200: answer(live) },
      },
    },
    async () => data({ status: "live" as const }),
  );
  api.get(
    "/health/ready",
    {
      schema: {
        operationId: "getReadiness",
        summary: "Stores reachable, read models moving",
        tags: TAGS,
        response: { 200: answer(ready), 503: notReady },
      },
    },
    async (_request, reply) => {
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
  );
  api.get(
    "/metrics",
    {
      schema: {
        operationId: "getMetrics",
        summary: "Numbers for Prometheus",
        tags: TAGS,
        response: {
          200: { description: "Prometheus text", content: { "text/plain": { schema: z.string() } } },
        },
      },
    },
    async (_request, reply) => {
      reply.type("text/plain; version=0.0.4; charset=utf-8");
      return reply.send(await deps.metricsText());
    },
  );
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

async function outcomeOf({ name, check }: ReadinessCheck) {
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
    scoped.post("/carrier/simulated/events", { schema: { hide: true } }, async (request, reply) => {
      const body = typeof request.body === "string" ? request.body : "";
      const { status, message } = await carrierCallbacks.receive(request.headers, body);
      reply.code(status);
      return reply.send(status === 204 ? undefined : { success: false, error: message });
    });
  });
}
