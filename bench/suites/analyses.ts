import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import type { OutcomeSettings } from "../../domain/outcome/settings.ts";
import { anything, campaignAnswer } from "../bench-api.ts";
import { startBenchReceiver } from "../bench-receiver.ts";
import { type BenchService, loopDelayMs, settingsOf, startBenchService } from "../bench-service.ts";
import { type Benchmark, median, type Result, type Row } from "../benchmark.ts";
import { campaignBody, createCampaign, type References, references } from "../campaign-set-up.ts";
import { OURS, row } from "../rows.ts";
import { logEnd, runCampaigns, untilIdle } from "../run-campaign.ts";

const CONTACTS = Number(process.env["ANALYSES_CONTACTS"] ?? 2_000);
const ROUNDS = Number(process.env["ANALYSES_ROUNDS"] ?? 4);
/** Beside the price of a call that nobody asks about. */
const GOAL_MILLIS = 0.25;
const BESIDE = 300;
/** Two thirds of those who are called talk. */
const CONTACTS_BESIDE = 450;
const LOOP_MILLIS = 20;
const LOOK_EVERY_MILLIS = 100;

const OUTCOME: OutcomeSettings = {
  summary: true,
  fields: [
    { name: "confirmed", type: "boolean", description: "Whether the customer will pay what is due" },
    { name: "mood", type: "enum", description: "How the customer felt", values: ["glad", "calm", "angry"] },
  ],
  success: { field: "confirmed", in: [true] },
};

/**
 * What it costs to ask what a call brought home: campaigns with and without, in turn, in one service. And the
 * delay of the event loop while 300 talk and as many calls are analysed.
 */
export const benchmark: Benchmark = { name: "analyses", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const service = await startBenchService({ env: { SIMULATOR_SPEED: "100000", SIMULATOR_MINUTE_MS: "1" } });
  const receiver = await startBenchReceiver(service);
  const without = await references(service);
  const asking = await references(service, { phoneNumber: "+15005550101", outcome: OUTCOME });
  await runCampaigns(service, receiver, without, 1, CONTACTS); // compiles and caches for both
  const prices: Record<"without" | "asking", number[]> = { without: [], asking: [] };
  let calls = 0;
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, given] of Object.entries({ without, asking })) {
      const figures = await runCampaigns(service, receiver, given, 1, CONTACTS);
      const price = figures.untilIdle.processorMsPerCall;
      log(`${name}: ${price.toFixed(2)} ms of processor a call, ${figures.calls} calls`);
      prices[name === "asking" ? "asking" : "without"].push(price);
      if (name === "asking") calls += figures.calls;
    }
  const { rows } = await service.pool.query<{ readonly analysed: number }>(
    "select count(*)::integer as analysed from log.events where type = 'CallAnalysed'",
  );
  const analysed = rows[0]?.analysed ?? 0;
  if (analysed === 0) throw new Error("No call was analysed");
  const settings = await settingsOf(service);
  receiver.stop();
  await service.remove();
  const beside = await besideConversations(log);
  const more = prices.asking.map((price, round) => price - (prices.without[round] ?? Number.NaN));
  return {
    benchmark: "analyses",
    settings: { ...settings, contacts: CONTACTS, rounds: ROUNDS, calls, analysed, model: "scripted" },
    rows: [
      row("processor time of a call that nobody asks about", "ms", { [OURS]: median(prices.without) }),
      row("processor time of a call of an assistant that asks", "ms", { [OURS]: median(prices.asking) }),
      row("the difference, median of the rounds", "ms", { [OURS]: median(more) }, { atMost: GOAL_MILLIS }),
      row("the same for each call that was analysed", "ms", { [OURS]: (median(more) * calls) / analysed }),
      ...beside,
    ],
  };
}

/** At the pace of speech. */
async function besideConversations(log: (line: string) => void): Promise<readonly Row[]> {
  const service = await startBenchService();
  const without = await references(service);
  const asking = await references(service, { phoneNumber: "+15005550101", outcome: OUTCOME });
  const nothing = async () => undefined;
  const delays = {
    alone: await loopDelay(service, without, nothing),
    ending: await loopDelay(service, asking, nothing),
    asked: await loopDelay(service, without, () => askAgain(service)),
  };
  log(`p99 of the event loop: ${JSON.stringify(delays)}`);
  await service.remove();
  const goal = { atMost: LOOP_MILLIS };
  return [
    row(`event loop while ${BESIDE} talk, p99`, "ms", { [OURS]: delays.alone }),
    row(`the same, and each call is analysed when it is over, p99`, "ms", { [OURS]: delays.ending }, goal),
    row(`the same, and ${BESIDE} other calls are analysed again, p99`, "ms", { [OURS]: delays.asked }, goal),
  ];
}

/** Of a campaign, from its start until nothing is left to do; `meanwhile` begins when all talk. */
async function loopDelay(
  service: BenchService,
  given: References,
  meanwhile: () => Promise<unknown>,
): Promise<number> {
  const body = (of: References, count: number) => ({ ...campaignBody(of, count), retryOn: [] });
  const id = await createCampaign(service, given, CONTACTS_BESIDE, body);
  await untilIdle(service);
  const end = await logEnd(service);
  await loopDelayMs(service); // measured from the last reading on
  await service.api.post(anything, `/api/v1/campaigns/${id}/start`);
  while ((await talking(service, end)) < BESIDE * 0.8) await wait(LOOK_EVERY_MILLIS);
  await meanwhile();
  while ((await service.api.get(campaignAnswer, `/api/v1/campaigns/${id}`)).campaign.status !== "COMPLETED")
    await wait(LOOK_EVERY_MILLIS);
  await untilIdle(service);
  return loopDelayMs(service);
}

async function talking({ pool }: BenchService, end: string): Promise<number> {
  const { rows } = await pool.query<{ readonly live: number }>(
    `select (count(*) filter (where type = 'CallSessionBegan')
       - count(*) filter (where type = 'CallSessionEnded'))::integer as live
     from log.events where position > $1`,
    [end],
  );
  return rows[0]?.live ?? 0;
}

/** Those that were analysed, once more. */
async function askAgain({ api, pool }: BenchService): Promise<void> {
  const { rows } = await pool.query<{ readonly id: string }>(
    "select data ->> 'callId' as id from log.events where type = 'CallAnalysed' order by position limit $1",
    [BESIDE],
  );
  for (const { id } of rows) await api.post(anything, `/api/v1/calls/${id}/analysis`);
}
