import { z } from "zod";

export const live = z
  .object({ status: z.literal("live") })
  .meta({ id: "Live", examples: [{ status: "live" }] });

const check = z.object({
  name: z.string(),
  ok: z.boolean(),
  /** What the check measured: lag, position, last movement. */
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

export const ready = z.object({ status: z.literal("ready"), checks: z.array(check) }).meta({
  id: "Ready",
  examples: [{ status: "ready", checks: [{ name: "postgres", ok: true, detail: {} }] }],
});

export const notReady = z
  .object({
    success: z.literal(false),
    error: z.object({ code: z.literal("NOT_READY"), message: z.string() }),
    data: z.object({ status: z.literal("not_ready"), checks: z.array(check) }),
  })
  .meta({ id: "NotReady" });
