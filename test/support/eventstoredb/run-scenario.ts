import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { EventStoreDBClient, jsonEvent } from "@eventstore/db-client";
import { observeSubscription } from "./observe-subscription.ts";
import { answerOf, type StepAnswer } from "./observed-answer.ts";
import type { AppendSpec, Scenario, Step, StepOf } from "./observed-scenarios.ts";
import type { ScenarioWorld } from "./scenario-world.ts";

export type ScenarioRun = {
  readonly url: string;
  /** 1 against a real node; smaller shortens the client's deadline and the waits alike. */
  readonly timeScale: number;
};

const DEADLINE_MILLIS = 10_000;
/** Longer than any deadline of the client: what has not answered by then never will. */
const NO_ANSWER_MILLIS = 16_000;
/** A subscription passes over everything that others have written. */
const CATCHING_UP_MILLIS = 120_000;
const CLASSIC = { credentials: { username: "any", password: "any" } };

/**
 * Sends the operations of one scenario with the official client and says what came back, in the
 * words of observed.json.
 */
export async function runScenario(run: ScenarioRun, scenario: Scenario): Promise<readonly StepAnswer[]> {
  const separator = run.url.includes("?") ? "&" : "?";
  const deadline = Math.round(DEADLINE_MILLIS * run.timeScale);
  const client = EventStoreDBClient.connectionString(`${run.url}${separator}defaultDeadline=${deadline}`);
  const prefix = `observed-${randomUUID()}-`;
  const world = createWorld(client, prefix, run.timeScale);
  try {
    const answers: StepAnswer[] = [];
    for (const step of scenario.steps) {
      const limit = step.op === "subscribe" ? CATCHING_UP_MILLIS : NO_ANSWER_MILLIS * run.timeScale;
      answers.push(await answerOf(prefix, answeredWithin(limit, perform(world, step))));
    }
    return answers;
  } finally {
    await client.dispose();
  }
}

async function answeredWithin(millis: number, work: Promise<object>): Promise<object> {
  const answered = new AbortController();
  const noAnswer = async (): Promise<never> => {
    await delay(millis, undefined, { signal: answered.signal });
    throw Object.assign(new Error("no answer"), { type: "no-answer" });
  };
  return Promise.race([work.finally(() => answered.abort()), noAnswer()]);
}

function createWorld(client: EventStoreDBClient, prefix: string, timeScale: number): ScenarioWorld {
  const uuids = new Map<number, string>();
  const uuidOf = (id: number): string => {
    const uuid = uuids.get(id) ?? randomUUID();
    uuids.set(id, uuid);
    return uuid;
  };
  return {
    client,
    prefix,
    timeScale,
    append(spec, ids = spec.ids?.map(uuidOf) ?? Array.from({ length: spec.count ?? 0 }, () => randomUUID())) {
      const events = ids.map((id, n) => jsonEvent({ id, type: spec.type ?? "T", data: dataOf(spec, n) }));
      const expectedRevision = typeof spec.expected === "number" ? BigInt(spec.expected) : spec.expected;
      const path = spec.path === "batch" ? {} : CLASSIC;
      return client.appendToStream(prefix + spec.stream, events, { expectedRevision, ...path });
    },
  };
}

function dataOf(spec: AppendSpec, n: number): Record<string, unknown> {
  if (spec.bytes === undefined) return spec.data ?? { n };
  const frame = JSON.stringify({ x: "" }).length;
  return { x: "x".repeat(spec.bytes - frame) };
}

async function perform(world: ScenarioWorld, step: Step): Promise<object> {
  switch (step.op) {
    case "append":
      return { nextExpectedRevision: String((await world.append(step)).nextExpectedRevision) };
    case "read":
      return read(world, step);
    case "delete":
      await world.client.deleteStream(world.prefix + step.stream, CLASSIC);
      return {};
    case "tombstone":
      await world.client.tombstoneStream(world.prefix + step.stream, CLASSIC);
      return {};
    case "wait":
      await delay(step.ms * world.timeScale);
      return {};
    case "race":
      return race(world, step);
    case "subscribe":
      return observeSubscription(world, step);
  }
}

async function read(world: ScenarioWorld, step: StepOf<"read">): Promise<object> {
  const backward = step.backward === true;
  const events: unknown[] = [];
  const stream = world.client.readStream(world.prefix + step.stream, {
    direction: backward ? "backwards" : "forwards",
    fromRevision: step.from === undefined ? (backward ? "end" : "start") : BigInt(step.from),
    ...(step.max === undefined ? {} : { maxCount: step.max }),
  });
  for await (const { event } of stream) events.push([String(event?.revision), event?.type, event?.data]);
  return { events };
}

async function race(world: ScenarioWorld, step: StepOf<"race">): Promise<object> {
  const size = step.ids?.length ?? 1;
  const shared = Array.from({ length: size }, () => randomUUID());
  const same = step.sameIds === true;
  const callers = Array.from({ length: step.callers }, async () => {
    const fresh = Array.from({ length: size }, () => randomUUID());
    const ids = same ? (step.ids === undefined ? shared : undefined) : fresh;
    const answer = await answerOf(
      world.prefix,
      world.append(step, ids).then(() => ({})),
    );
    return answer.ok ? "ok" : (answer.error?.type ?? "unknown");
  });
  const tally: Record<string, number> = {};
  for (const outcome of await Promise.all(callers)) tally[outcome] = (tally[outcome] ?? 0) + 1;
  return { tally };
}
