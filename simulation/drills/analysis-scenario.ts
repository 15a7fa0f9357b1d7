import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { inTime, untilCompleted } from "./drill-quiet.ts";
import { makeAssistant, startCampaign } from "./drill-setup.ts";
import type { DrillWorld } from "./drill-world.ts";
import { inDatabase } from "./in-database.ts";
import { judgeAnalysed, owedAnalyses, toldOutcomes } from "./judge-analysed.ts";
import type { ScenarioRun } from "./scenario-run.ts";
import { historyEvent, withId } from "./shapes.ts";

/** What a dead process had claimed is due again after 90 s, and each death may have claimed anew. */
const ANSWERED_WITHIN_MILLIS = 420_000;
const OUTCOME = {
  summary: true,
  fields: [{ name: "talked", type: "boolean", description: "Whether the customer said something" }],
  success: { field: "talked", in: [true] },
};

/**
 * A campaign whose assistant asks what each call brought home. Whatever died between the wish, the model and
 * the answer: each call that was talked on has one wish and one answer.
 */
export const analysis: ScenarioRun = async (...run) => {
  const model = await startModelServer({ isAway: false });
  try {
    return await analysed(model.url, ...run);
  } finally {
    await model.stop();
  }
};

/** The same with a model that never answers what is asked about a call. */
export const failedAnalysis: ScenarioRun = async (...run) => {
  const [world] = run;
  const model = await startModelServer({ isAway: true });
  const hours = passHours(world);
  try {
    return await analysed(model.url, ...run);
  } finally {
    await hours.stop();
    await model.stop();
  }
};

/** The same with the scripted model, which is in the service: wish and answer are one append. */
export const analysisAtOnce: ScenarioRun = (...run) => analysed(null, ...run);

async function analysed(
  modelUrl: string | null,
  ...[world, setup, plan, crashed]: Parameters<ScenarioRun>
): ReturnType<ScenarioRun> {
  const assistantId = await makeAsker(world, modelUrl);
  const campaignId = await startCampaign(world.client, { ...setup, assistantId }, plan);
  await crashed();
  await untilCompleted(world, campaignId);
  const events = () => world.client.all(historyEvent, "/api/v1/events", "after");
  const told = () => world.client.all(toldOutcomes, "/api/v1/calls");
  const answered = async () => owedAnalyses(await events(), await told()).length === 0;
  await inTime("an answer to every wish", answered, ANSWERED_WITHIN_MILLIS);
  return { campaignId, problems: judgeAnalysed(await events(), await told()) };
}

async function makeAsker({ client }: DrillWorld, baseUrl: string | null): Promise<string> {
  const connection =
    baseUrl === null
      ? null
      : await client.post(withId, "/api/v1/connections", {
          kind: "model",
          name: "Drill",
          settings: { baseUrl, defaultModel: "drill-1" },
          secrets: { apiKey: "drill" },
        });
  const modelConnectionId = connection?.id ?? null;
  return makeAssistant(client, { name: "Asker", modelConnectionId, outcome: OUTCOME });
}

const HOURS_EVERY_MILLIS = 500;
const PASSED = "update work.analyses set due_at = clock_timestamp() where due_at > clock_timestamp()";

/** Before its last try an analysis waits for more than seven hours: they pass in the database. */
function passHours({ dataDir }: DrillWorld) {
  const stop = new AbortController();
  const passing = (async () => {
    while (!stop.signal.aborted) {
      await wait(HOURS_EVERY_MILLIS);
      // Its server dies with the service, and comes back.
      await inDatabase(dataDir, PASSED).catch(() => undefined);
    }
  })();
  return {
    stop: async () => {
      stop.abort();
      await passing;
    },
  };
}

const SPOKEN = ["Your invoice ", "is due."];
/** With every message that it could mean: those that prove nothing are dropped. */
const MESSAGES = Array.from({ length: 20 }, (_, index) => index);
const ANSWER = { summary: "They talked.", fields: { talked: { value: true, messages: MESSAGES } } };
const USAGE = { prompt_tokens: 50, completion_tokens: 5 };

/**
 * A model's server that survives the service's death. It speaks on calls at once; what is asked about a call
 * it answers from the second time on, or never.
 */
async function startModelServer({ isAway }: { readonly isAway: boolean }) {
  const asked = new Set<string>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const isAnalysis = body.includes('"json_schema"');
    if (isAnalysis && (isAway || !asked.has(body))) {
      asked.add(body);
      response.writeHead(503).end();
      return;
    }
    const pieces = isAnalysis ? [JSON.stringify(ANSWER)] : SPOKEN;
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const content of pieces) response.write(frame({ choices: [{ index: 0, delta: { content } }] }));
    response.write(frame({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage: USAGE }));
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const frame = (chunk: object): string => `data: ${JSON.stringify({ model: "drill-1", ...chunk })}\n\n`;
