import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../simulation/drills/eventually.ts";
import { parseExposition, sampleValue } from "../support/exposition.ts";
import { type FakeAnswer, MODES, speaks } from "../support/models/fake-answer.ts";
import {
  type AskedModel,
  type FakeModelServer,
  fakeModelServer,
} from "../support/models/fake-model-server.ts";
import type { ApiUser, Wire } from "./support/api-user.ts";
import { startTestService, type TestService } from "./support/service.ts";
import { made } from "./support/things.ts";

const PATH = "/api/v1/rehearsals";
const RETRY_AFTER_SECONDS = 2;

let model: FakeModelServer;
let service: TestService;
let user: ApiUser;
let assistantId: string;
let throttles = true;

beforeAll(async () => {
  model = await fakeModelServer(answerOf);
  const own = { LLM_BASE_URL: model.url, LLM_API_KEY: "sk-test", LLM_MODEL: "fake-1" };
  service = await startTestService(own);
  user = await service.newOwner("Who rehearses");
  const texts = { name: "Ada", greetingMessage: "Hello, this is Ada.", systemPrompt: "Be kind." };
  assistantId = (await made(user, "/api/v1/assistants", texts)).id;
});
afterAll(async () => {
  await service.stop();
  await model.close();
});

/** It never goes on where it is asked to wait, and has too much to do when it is first asked for tea. */
function answerOf({ body }: AskedModel): FakeAnswer {
  const { messages = [] }: Wire = body ?? {};
  const { content } = messages.at(-1) ?? {};
  if (content === "Please wait.") return MODES.silent;
  if (content !== "Tea, please." || !throttles) return speaks(["Very ", "well."]);
  throttles = false;
  return { kind: "status", status: 429, headers: { "retry-after": String(RETRY_AFTER_SECONDS) } };
}

async function rehearse(says: readonly string[]): Promise<string> {
  const cases = [{ name: "One", caller: { says }, expect: [{ says: "very well" }] }];
  const { status, body } = await user.send("POST", PATH, {
    body: { name: "A rehearsal", assistantId, cases },
  });
  expect(status).toBe(202);
  return `${PATH}/${body.data.id}`;
}

const read = async (path: string): Promise<Wire> => (await user.send("GET", path)).body.data;

async function counted(name: string, labels: Readonly<Record<string, string>>): Promise<number> {
  const page = parseExposition(await (await fetch(`${service.url}/metrics`)).text());
  return sampleValue(page, name, labels) ?? 0;
}

/** The page may be a second old. */
async function told(name: string, labels: Readonly<Record<string, string>>, value: number): Promise<void> {
  await eventually(`${name} to be ${value}`, async () => (await counted(name, labels)) === value);
}

describe("a rehearsal that is played", () => {
  it("is broken off by a cancel, at the model too; what was answered before counts, and not as a call's", async () => {
    const path = await rehearse(["Good morning.", "Please wait."]);
    await eventually("the model to be asked twice", () => model.asked.length === 2);
    const { status, body } = await user.send("POST", `${path}/cancel`);
    expect([status, body.data.status, body.data.endedBecause]).toEqual([200, "cancelled", "cancelled"]);
    await model.asked[1]?.leftByClient;
    const { inputTokens, outputTokens } = await eventually("its tokens to be stored", async () => {
      const { tokens } = await read(path);
      return tokens.inputTokens > 0 ? tokens : null;
    });
    expect(outputTokens).toBeGreaterThan(0);
    await told("ringfold_rehearsal_tokens_total", { direction: "input" }, inputTokens);
    await told("ringfold_rehearsal_tokens_total", { direction: "output" }, outputTokens);
    expect(await counted("ringfold_model_tokens_total", { direction: "input" })).toBe(0);
    expect(await counted("ringfold_turn_seconds_count", { stage: "first_token" })).toBe(0);
    const { body: runs } = await user.send("GET", `${path}/runs`);
    expect(runs.data.map(({ status: ofRun }: Wire) => ofRun)).toEqual(["cancelled"]);
  });

  it("waits as long as a model's server asks it to, and passes then", async () => {
    const began = performance.now();
    const path = await rehearse(["Tea, please."]);
    const done = await eventually("the rehearsal to be done", async () => {
      const record = await read(path);
      return record.status === "done" ? record : null;
    });
    expect([done.passed, done.errors]).toEqual([1, 0]);
    expect(performance.now() - began).toBeGreaterThan(RETRY_AFTER_SECONDS * 1_000);
    await told("ringfold_rehearsal_runs_total", { status: "passed" }, 1);
  });
});
