import { createServer } from "node:http";
import type { DrillPlan } from "./drill-plan.ts";
import { untilCompleted } from "./drill-quiet.ts";
import { type DrillSetup, startCampaign } from "./drill-setup.ts";
import type { DrillWorld } from "./drill-world.ts";
import { judgeConversations, resumedCalls } from "./judge-conversations.ts";
import type { ScenarioRun } from "./scenario-run.ts";
import { anything, historyEvent, withId } from "./shapes.ts";

/**
 * A campaign of a squad whose assistants call a tool and hand calls over. Conversations that a
 * crash interrupts go on.
 */
export const conversation: ScenarioRun = async (world, setup, plan, crashed) => {
  const tools = await startToolServer();
  try {
    const { assistantId, squadId } = await makeSquad(world, tools.url);
    const campaignId = await startCampaign(world.client, { ...setup, assistantId }, plan, { squadId });
    await crashed();
    await untilCompleted(world, campaignId);
    const events = await world.client.all(historyEvent, "/api/v1/events", "after");
    const problems = [...judgeConversations(events, tools.keys()), ...nothingWentOn(plan, events)];
    return { campaignId, problems };
  } finally {
    await tools.stop();
  }
};

function nothingWentOn({ point }: DrillPlan, events: Parameters<typeof resumedCalls>[0]): string[] {
  // The tool may be the one that ends its call: then nothing more is said.
  if (!point.crashAt.some((name) => name.includes("CallMessageAdded"))) return [];
  return resumedCalls(events).length > 0 ? [] : ["no call went on in another session"];
}

async function makeSquad(
  { client }: DrillWorld,
  toolUrl: string,
): Promise<Pick<DrillSetup, "assistantId"> & { readonly squadId: string }> {
  const tool = await client.post(withId, "/api/v1/tools", {
    name: "account_status",
    type: "API_REQUEST",
    description: "Looks up what is open on the account of the customer, and when it is due",
    config: { url: toolUrl, method: "POST", body: { phone: "{{caller_number}}" } },
  });
  const made: string[] = [];
  for (const name of ["Reminder", "Billing"]) {
    const body = {
      name,
      greetingMessage: `Hello {{name}}, this is ${name}.`,
      systemPrompt: "You remind people of what is due.",
      toolIds: [tool.id],
    };
    const { id } = await client.post(withId, "/api/v1/assistants", body);
    await client.post(anything, `/api/v1/assistants/${id}/publish`);
    made.push(id);
  }
  const [first = "", second = ""] = made;
  const squad = await client.post(withId, "/api/v1/squads", {
    name: "Front desk",
    members: [{ assistantId: first, isEntry: true }, { assistantId: second }],
    handoffs: [
      {
        fromAssistantId: first,
        toAssistantId: second,
        description: "When the customer wants to talk to somebody about an invoice",
        message: "One moment, please.",
      },
    ],
  });
  return { assistantId: first, squadId: squad.id };
}

/** The tools' server of a drill: it survives the service's death, and records every request. */
type ToolServer = {
  readonly url: string;
  /** Idempotency-Keys in the order of their requests. */
  readonly keys: () => readonly string[];
  readonly stop: () => Promise<void>;
};

async function startToolServer(): Promise<ToolServer> {
  const keys: string[] = [];
  const server = createServer((request, response) => {
    keys.push(String(request.headers["idempotency-key"] ?? ""));
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ open_amount: "42.50 euros" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/accounts`,
    keys: () => keys,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
