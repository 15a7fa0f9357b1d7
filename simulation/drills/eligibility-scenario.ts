import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { untilCompleted } from "./drill-quiet.ts";
import { startCampaign } from "./drill-setup.ts";
import type { ScenarioRun } from "./scenario-run.ts";
import { anything, type HistoryEvent, historyEvent } from "./shapes.ts";

const question = z.object({ data: z.object({ eventId: z.string(), phoneNumber: z.string() }) });
const answer = z.looseObject({ eligibility: z.object({ eventId: z.string() }).optional() });
/** Nobody is asked about again earlier. */
const HELD_MILLIS = 30_000;

/**
 * A campaign whose owner's address refuses everybody the first time. Whatever died between its answer and the
 * hold: each is held once, and dialled by an answer about it that allowed it.
 */
export const eligibility: ScenarioRun = async (world, setup, plan, crashed) => {
  const { client } = world;
  const address = await startAddress();
  try {
    const check = { url: address.url, timeoutMs: 5_000 };
    await client.put(anything, "/api/v1/policy", { oneCallAtATime: false, eligibility: check });
    const campaignId = await startCampaign(client, setup, plan);
    await crashed();
    await untilCompleted(world, campaignId);
    const events = await client.all(historyEvent, "/api/v1/events", "after");
    return { campaignId, problems: judgeAsked(events, address.allowed) };
  } finally {
    await address.stop();
  }
};

function judgeAsked(
  events: readonly HistoryEvent[],
  allowed: ReadonlyMap<string, string>,
): readonly string[] {
  const held = events.filter(({ type }) => type === "ContactHeld").map(({ data }) => String(data.contactId));
  const dials = events.filter(({ type }) => type === "ContactDialed");
  const wrong = dials.filter(({ data }) => {
    const told = answer.safeParse(data["evidence"]).data?.eligibility?.eventId ?? "";
    return allowed.get(told) !== data.phoneNumber;
  });
  return [
    ...wrong.map(({ data }) => `${data.phoneNumber} was dialled by no answer that allowed it`),
    ...held.filter((id, index) => held.indexOf(id) !== index).map((id) => `${id} was held twice`),
  ];
}

/** An owner's address that survives the service's death; `allowed`: numbers by the id of the question. */
async function startAddress() {
  const asked = new Set<string>();
  const allowed = new Map<string, string>();
  const server = createServer(async (request, response) => {
    const { eventId, phoneNumber } = question.parse(JSON.parse(await text(request))).data;
    const isFirst = !asked.has(phoneNumber);
    asked.add(phoneNumber);
    if (!isFirst) allowed.set(eventId, phoneNumber);
    const until = new Date(Date.now() + HELD_MILLIS).toISOString();
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(isFirst ? { allowed: false, until } : { allowed: true }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : 0;
  return {
    url: `http://127.0.0.1:${port}/may-i-call`,
    allowed,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
