import { expect, it } from "vitest";
import { withMilestones } from "../../../../application/campaign/telling/milestones.ts";
import type { Campaigns } from "../../../../application/log/aggregates.ts";
import {
  at,
  attemptEnded,
  campaignId,
  contact,
  created,
  dialed,
  FINE,
} from "../../../domain/campaign/example-campaign.ts";
import { memoryLog } from "../../../support/memory-log.ts";
import { recordingLogger } from "../../../support/recording-logger.ts";

const STREAM = `campaign-${campaignId}` as const;
const ORIGIN = { owner: "usr_1", actor: "key_1", correlationId: "one", causationId: null } as const;
const NUMBERS = [1, 2, 3, 4, 5, 6];

async function campaignOfSix() {
  const log = memoryLog();
  const contacts = NUMBERS.map((number) => contact(number));
  await log.store(STREAM, ...created(contacts));
  let queries = 0;
  const { campaigns } = log.aggregates;
  const counted: Campaigns = {
    ...campaigns,
    query: (...asked) => {
      queries += 1;
      return campaigns.query(...asked);
    },
  };
  /** Another process: it has heard of nothing so far. */
  const process = () => {
    const { logger, lines } = recordingLogger();
    const told = withMilestones(counted, logger);
    const handle = (command: Parameters<Campaigns["handle"]>[1][number]) =>
      told.handle(STREAM, [command, { type: "CompleteIfDone", now: at(61) }], ORIGIN);
    const succeeds = async (number: number) => {
      await handle(attemptEnded(number, "customer_ended", { durationSeconds: 10, cost: 1 }));
      await new Promise(setImmediate);
    };
    return {
      start: () => told.handle(STREAM, [{ type: "StartCampaign", world: FINE, now: at(0) }], ORIGIN),
      pause: () => told.handle(STREAM, [{ type: "PauseCampaign", now: at(61) }], ORIGIN),
      succeeds,
      lines: () => lines.map(({ level, message, fields }) => [level, message, fields]),
    };
  };
  const dial = () => log.store(STREAM, ...NUMBERS.map((number) => dialed(number)));
  return { process, dial, queries: () => queries };
}

it("the process that appended a milestone of a campaign tells it in one line, half of it once", async () => {
  const { process, dial, queries } = await campaignOfSix();
  const one = process();
  await one.start();
  await dial();
  for (const number of NUMBERS.slice(0, 5)) await one.succeeds(number);
  await one.pause();
  await one.succeeds(6);
  expect(one.lines()).toEqual([
    ["info", "campaign started", { campaignId }],
    ["info", "half of a campaign is done", { campaignId, done: 3, total: 6 }],
    ["info", "campaign paused", { campaignId, reason: "manual" }],
    ["info", "campaign finished", { campaignId }],
  ]);
  expect(queries()).toBe(2);
});

it("half of a campaign is not told again by a process that takes it over later", async () => {
  const { process, dial } = await campaignOfSix();
  const [one, other] = [process(), process()];
  await one.start();
  await dial();
  for (const number of NUMBERS.slice(0, 4)) await one.succeeds(number);
  await other.succeeds(5);
  expect(other.lines()).toEqual([]);
});
