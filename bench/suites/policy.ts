import process from "node:process";
import { anything, withId } from "../bench-api.ts";
import { startBenchReceiver } from "../bench-receiver.ts";
import { type BenchService, settingsOf, startBenchService } from "../bench-service.ts";
import { type Benchmark, median, type Result } from "../benchmark.ts";
import { campaignBody, contacts, type References, references } from "../campaign-set-up.ts";
import { OURS, row } from "../rows.ts";
import { runCampaigns } from "../run-campaign.ts";

const CONTACTS = Number(process.env["POLICY_CONTACTS"] ?? 1_000);
const ROUNDS = Number(process.env["POLICY_ROUNDS"] ?? 6);
const GOAL_PERCENT = 10;

/** Every rule but eligibility; none of them refuses anybody. */
const ALL_RULES = {
  callableHours: { start: 0, end: 0, days: [1, 2, 3, 4, 5, 6, 7] },
  attemptsPerNumber: { day: 100, week: 500, month: 2_000 },
  oneCallAtATime: true,
  requireConsent: true,
  listMaxAgeDays: 30,
};
const NO_RULE = { oneCallAtATime: false };
const CONSENT = { source: "web form", at: "2026-09-01T10:00:00.000Z" };

/** What a policy costs a whole call: campaigns under one without rules and under all of them, in turn. */
export const benchmark: Benchmark = { name: "policy", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const service = await startBenchService({ env: { SIMULATOR_SPEED: "100000", SIMULATOR_MINUTE_MS: "1" } });
  const receiver = await startBenchReceiver(service);
  const given = await references(service);
  await loadRegister(service);
  await runCampaigns(service, receiver, given, 1, CONTACTS, consented); // compiles and caches for both
  const price = async (name: "without" | "under") => {
    await service.api.put(anything, "/api/v1/policy", name === "under" ? ALL_RULES : NO_RULE);
    const { untilIdle, calls } = await runCampaigns(service, receiver, given, 1, CONTACTS, consented);
    log(`${name}: ${untilIdle.processorMsPerCall.toFixed(2)} ms of processor a call, ${calls} calls`);
    return untilIdle.processorMsPerCall;
  };
  const without: number[] = [];
  const under: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // No order is favoured: without, under, under, without.
    if (round % 2 === 0) without.push(await price("without"));
    under.push(await price("under"));
    if (round % 2 === 1) without.push(await price("without"));
  }
  const settings = await settingsOf(service);
  receiver.stop();
  await service.remove();
  const dearer = under.map((price, round) => 100 * (price / (without[round] ?? Number.NaN) - 1));
  return {
    benchmark: "policy",
    settings: { ...settings, contacts: CONTACTS, rounds: ROUNDS },
    rows: [
      row("processor time of a whole call, no rule", "ms", { [OURS]: median(without) }),
      row("the same, every rule but eligibility", "ms", { [OURS]: median(under) }),
      row("dearer by, median of the rounds", "%", { [OURS]: median(dearer) }, { atMost: GOAL_PERCENT }),
    ],
  };
}

function consented(given: References, count: number): object {
  const people = contacts(count).map((contact) => ({ ...contact, consent: CONSENT }));
  return { ...campaignBody(given, count), contacts: people };
}

/** Young enough, and nobody who is called is on it. */
async function loadRegister({ api, url, apiKey }: BenchService): Promise<void> {
  const { id } = await api.post(withId, "/api/v1/suppression-lists", { name: "Register", kind: "registry" });
  const numbers = Array.from({ length: 1_000 }, (_, index) => `+90532${String(index).padStart(7, "0")}`);
  const answer = await fetch(`${url}/api/v1/suppression-lists/${id}/numbers`, {
    method: "PUT",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "text/csv" },
    body: ["phone", ...numbers].join("\r\n"),
  });
  if (!answer.ok) throw new Error(`the list was refused: ${await answer.text()}`);
}
