import { z } from "zod";
import { answer, type DeepReadonly, refused } from "./fields.ts";
import { file, routes } from "./route.ts";

const live = z
  .object({ status: z.literal("live").describe("The process answers") })
  .meta({ id: "Live", examples: [{ status: "live" }] });

const check = z.object({
  name: z.string().describe("What was looked at"),
  ok: z.boolean().describe("false: this is why it is not ready"),
  detail: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .describe("What was measured: position, lag in milliseconds, last movement and the like"),
});
export type ReadinessRecord = DeepReadonly<z.infer<typeof check>>;
const checks = z.array(check).describe("Everything that was looked at");

const ready = z.object({ status: z.literal("ready").describe("It can do its work"), checks }).meta({
  id: "Ready",
  examples: [{ status: "ready", checks: [{ name: "postgres", ok: true, detail: {} }] }],
});

const notReady = z
  .object({
    success: refused,
    error: z
      .object({
        code: z.literal("NOT_READY").describe("NOT_READY"),
        message: z.string().describe("Names the checks that failed"),
      })
      .describe("What is missing"),
    data: z
      .object({ status: z.literal("not_ready").describe("It cannot do all of its work"), checks })
      .describe("The answer itself"),
  })
  .meta({ id: "NotReady" });

/** No key is needed. */
export const serviceRoutes = routes({
  getLiveness: {
    method: "GET",
    path: "/health/live",
    tag: "service",
    summary: "The process answers",
    answers: { 200: answer(live) },
  },
  getReadiness: {
    method: "GET",
    path: "/health/ready",
    tag: "service",
    summary: "Stores reachable, read models moving",
    answers: { 200: answer(ready), 503: notReady },
  },
  getMetrics: {
    method: "GET",
    path: "/metrics",
    tag: "service",
    summary: "Numbers for Prometheus",
    answers: { 200: file("text/plain", "Prometheus text", z.string()) },
  },
});
