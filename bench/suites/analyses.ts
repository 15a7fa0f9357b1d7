import process from "node:process";
import type { OutcomeSettings } from "../../domain/outcome/settings.ts";
import { startBenchReceiver } from "../bench-receiver.ts";
import { settingsOf, startBenchService } from "../bench-service.ts";
import { type Benchmark, median, type Result } from "../benchmark.ts";
import { references } from "../campaign-set-up.ts";
import { OURS, row } from "../rows.ts";
import { runCampaigns } from "../run-campaign.ts";

const CONTACTS = Number(process.env["ANALYSES_CONTACTS"] ?? 2_000);
const ROUNDS = Number(process.env["ANALYSES_ROUNDS"] ?? 4);
/** Beside the price of a call that nobody asks about. */
const GOAL_MILLIS = 0.25;

const OUTCOME: OutcomeSettings = {
  summary: true,
  fields: [
    { name: "confirmed", type: "boolean", description: "Whether the customer will pay what is due" },
    { name: "mood", type: "enum", description: "How the customer felt", values: ["glad", "calm", "angry"] },
  ],
  success: { field: "confirmed", in: [true] },
};

/** What it costs to ask what a call brought home: campaigns with and without, in turn, in one service. */
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
  const more = prices.asking.map((price, round) => price - (prices.without[round] ?? Number.NaN));
  return {
    benchmark: "analyses",
    settings: { ...settings, contacts: CONTACTS, rounds: ROUNDS, calls, analysed, model: "scripted" },
    rows: [
      row("processor time of a call that nobody asks about", "ms", { [OURS]: median(prices.without) }),
      row("processor time of a call of an assistant that asks", "ms", { [OURS]: median(prices.asking) }),
      row("the difference, median of the rounds", "ms", { [OURS]: median(more) }, { atMost: GOAL_MILLIS }),
      row("the same for each call that was analysed", "ms", { [OURS]: (median(more) * calls) / analysed }),
    ],
  };
}
