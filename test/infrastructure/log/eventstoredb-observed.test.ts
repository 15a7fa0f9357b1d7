import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  observedScenarios,
  type Scenario,
  type Step,
} from "../../support/eventstoredb/observed-scenarios.ts";
import { runScenario } from "../../support/eventstoredb/run-scenario.ts";
import { type EventStoreDbServer, startEventStoreDbServer } from "../../support/eventstoredb/server.ts";

const realNode = process.env["TEST_EVENTSTORE_URL"];
const scenarios = observedScenarios();

it("holds the 21 scenarios that were observed on a real node", () => {
  expect(scenarios).toHaveLength(21);
});

describe("the protocol server answers the official client as the real node did", () => {
  let quick: EventStoreDbServer;
  let unhurried: EventStoreDbServer;
  beforeAll(async () => {
    quick = await startEventStoreDbServer();
    unhurried = await startEventStoreDbServer({ commitDelayMs: 300, commitTimeoutMs: 600 });
  });
  afterAll(async () => {
    await quick.stop();
    await unhurried.stop();
  });
  const serverFor = (scenario: Scenario) =>
    scenario.steps.some((step) => step.op === "race") ? unhurried : quick;

  it.each(scenarios)("$name", { concurrent: true }, async (scenario) => {
    await compare(scenario, serverFor(scenario).url, 0.25);
  });
});

if (realNode !== undefined) {
  describe("the real node still answers so", () => {
    it.each(scenarios)("$name", { timeout: 180_000 }, async (scenario) => compare(scenario, realNode, 1));
  });
}

async function compare(scenario: Scenario, url: string, timeScale: number): Promise<void> {
  const run =
    scenario.uncaught.length > 0
      ? await runApart(scenario, url, timeScale)
      : await runHere(scenario, url, timeScale);
  expect(run.answers.map((answer, index) => stable(scenario.steps[index], answer))).toEqual(
    scenario.steps.map((step) => stable(step, step.observed)),
  );
  expect(run.uncaught).toEqual(scenario.uncaught);
}

const result = z.object({
  answers: z.array(z.looseObject({ ok: z.boolean() })),
  uncaught: z.array(z.string()),
});
type Result = z.infer<typeof result>;

async function runHere(scenario: Scenario, url: string, timeScale: number): Promise<Result> {
  return { answers: [...(await runScenario({ url, timeScale }, scenario))], uncaught: [] };
}

async function runApart(scenario: Scenario, url: string, timeScale: number): Promise<Result> {
  const program = fileURLToPath(new URL("../../support/eventstoredb/observe.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [
    program,
    url,
    String(timeScale),
    scenario.name,
  ]);
  return result.parse(JSON.parse(stdout));
}

/**
 * Without what is unstable by nature: how the losers of a race end, and how many events pass before a burst
 * ends a subscription.
 */
function stable(step: Step | undefined, answer: Result["answers"][number]): object {
  if (step?.op === "race") {
    const { tally } = z.object({ tally: z.object({ ok: z.number() }).catchall(z.number()) }).parse(answer);
    const total = Object.values(tally).reduce((sum, count) => sum + count, 0);
    // With the same ids whoever comes after the commit is answered as the first one was.
    const winners = step.sameIds === true ? Math.min(tally.ok, 1) : tally.ok;
    return { ok: answer.ok, winners, callers: total };
  }
  if (step?.op !== "subscribe" || answer.ok) return answer;
  const { events } = z.object({ events: z.object({ count: z.number(), first: z.string() }) }).parse(answer);
  return { ...answer, events: { first: events.first, endedEarly: events.count > 1 && events.count < 1_001 } };
}
