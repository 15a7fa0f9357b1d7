import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import type { DrillPlan } from "./drill-plan.ts";
import { inTime, untilCompleted } from "./drill-quiet.ts";
import { startCampaign } from "./drill-setup.ts";
import type { DrillWorld } from "./drill-world.ts";
import type { ScenarioRun } from "./scenario-run.ts";
import { historyEvent, withId } from "./shapes.ts";

const list = z.object({ sha256: z.string().nullable() });
const LEAST_UPLOADS = 2;
const MOST_UPLOADS = 12;
const AGAIN_MILLIS = 500;
/** Who held the list when it died keeps it for 30 s. */
const UPLOADED_WITHIN_MILLIS = 60_000;
const TOLD_WITHIN_MILLIS = 30_000;
const CONFLICT = 409;

/**
 * A registry is replaced again and again. Whatever died between the upload, the switch and its event: the old
 * list counts or the new one, each that counted is told once, and whoever is on the last one is not rung.
 */
export const suppressionList: ScenarioRun = async (world, setup, plan, crashed) => {
  const { client, service } = world;
  const made = { name: "Registry", kind: "registry" };
  const { id } = await client.post(withId, "/api/v1/suppression-lists", made, "drill-list");
  const path = `/api/v1/suppression-lists/${id}`;
  const shas: string[] = [];
  const problems: string[] = [];
  let listed = "";
  for (let round = 0; round < MOST_UPLOADS; round += 1) {
    if (round >= LEAST_UPLOADS && service.deaths() >= plan.crashAt.length) break;
    const number = numberOf(plan, round);
    const before = shas.at(-1) ?? null;
    await upload(world, `${path}/numbers?force=true`, number);
    const { sha256 } = await client.get(list, path);
    if (sha256 === before) continue;
    if (sha256 === null) problems.push("a list that had numbers has none");
    else shas.push(sha256);
    listed = number;
  }
  await crashed();
  const told = async () => {
    const events = await client.all(historyEvent, "/api/v1/events", "after");
    const replaced = events.filter(({ type }) => type === "SuppressionListReplaced");
    return replaced.length >= shas.length ? replaced.map(({ data }) => String(data["sha256"])) : null;
  };
  const events = await inTime("the event of each switch", told, TOLD_WITHIN_MILLIS);
  if (events.join() !== shas.join())
    problems.push(`${shas.join()} counted, and the log tells ${events.join()}`);
  const campaignId = await startCampaign(client, setup, plan);
  await untilCompleted(world, campaignId);
  const rung = new Set((await world.journal()).map(({ to }) => to));
  for (const { phoneNumber } of plan.contacts)
    if (rung.has(phoneNumber) === (phoneNumber === listed))
      problems.push(`${phoneNumber} was ${rung.has(phoneNumber) ? "rung" : "not rung"}, listed is ${listed}`);
  return { campaignId, problems };
};

/** No file is like another one. */
function numberOf({ contacts }: DrillPlan, round: number): string {
  return contacts[round % contacts.length]?.phoneNumber ?? "";
}

/** Until it is answered, or the service has died. */
async function upload({ client }: DrillWorld, path: string, phoneNumber: string): Promise<void> {
  const until = performance.now() + UPLOADED_WITHIN_MILLIS;
  while ((await client.upload(path, `phone\n${phoneNumber}\n`)) === CONFLICT && performance.now() < until)
    await wait(AGAIN_MILLIS);
}
