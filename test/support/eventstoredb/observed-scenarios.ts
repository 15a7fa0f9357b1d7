import { readFileSync } from "node:fs";
import { z } from "zod";

const expected = z.union([z.number(), z.enum(["no_stream", "any"])]);
const appended = z.object({
  stream: z.string(),
  expected,
  ids: z.array(z.number()).optional(),
  count: z.number().optional(),
  bytes: z.number().optional(),
  type: z.string().optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  path: z.enum(["classic", "batch"]).optional(),
});
const observed = z.looseObject({ ok: z.boolean() });

const step = z.discriminatedUnion("op", [
  appended.extend({ op: z.literal("append"), observed }),
  z.object({
    op: z.literal("read"),
    stream: z.string(),
    from: z.number().optional(),
    max: z.number().optional(),
    backward: z.boolean().optional(),
    observed,
  }),
  z.object({ op: z.literal("delete"), stream: z.string(), observed }),
  z.object({ op: z.literal("tombstone"), stream: z.string(), observed }),
  z.object({ op: z.literal("wait"), ms: z.number(), observed }),
  appended.extend({ op: z.literal("race"), callers: z.number(), sameIds: z.boolean().optional(), observed }),
  z.object({
    op: z.literal("subscribe"),
    stream: z.string().optional(),
    all: z.string().optional(),
    from: z.number().optional(),
    wait: z.number().optional(),
    thenAppend: appended.optional(),
    observed,
  }),
]);

const scenario = z.object({
  name: z.string(),
  uncaught: z.array(z.string()).default([]),
  steps: z.array(step).min(1),
});

export type Step = z.infer<typeof step>;
export type StepOf<Op extends Step["op"]> = Extract<Step, { op: Op }>;
export type AppendSpec = z.infer<typeof appended>;
export type Scenario = z.infer<typeof scenario>;

/** What a real node 23.10.8 answered to the official client (docs/log.md §3 fact 15). */
export function observedScenarios(): readonly Scenario[] {
  const text = readFileSync(new URL("observed.json", import.meta.url), "utf8");
  return z.object({ scenarios: z.array(scenario) }).parse(JSON.parse(text)).scenarios;
}
