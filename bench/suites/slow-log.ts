import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { startEventStoreDbServer } from "../../test/support/eventstoredb/server.ts";
import { REAL_NODE } from "../../test/support/eventstoredb/slow-node.ts";
import { anything } from "../bench-api.ts";
import { LIMITS_SHOWN, settingsOf, startBenchService } from "../bench-service.ts";
import type { Benchmark, Result } from "../benchmark.ts";
import { createCampaign, references } from "../campaign-set-up.ts";
import { row } from "../rows.ts";

const CALLS = Number(process.env["SLOW_LOG_CALLS"] ?? 1_000);
const LOOK_EVERY_MILLIS = 20;
const PATIENCE_MILLIS = 300_000;
const GOAL_CALLS_A_SECOND = 100;

/** A campaign that dials everybody at once, with the log in an EventStoreDB as slow as a real node. */
export const benchmark: Benchmark = { name: "slow-log", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const node = await startEventStoreDbServer({ speed: REAL_NODE });
  const service = await startBenchService({
    env: { EVENTSTORE_URL: node.url, SIMULATOR_SPEED: "100000", SIMULATOR_MINUTE_MS: "1" },
  });
  const id = await createCampaign(service, await references(service), CALLS);
  const dialled = new Set<string>();
  const ended = new Set<string>();
  let notPlaced = 0;
  node.log.onCommitted(({ stream, type, data }) => {
    if (type === "CallRinging" || type === "CallFailed") dialled.add(stream);
    if (type === "CallCompleted" || type === "CallFailed") ended.add(stream);
    if (type === "CallFailed" && Buffer.from(data).includes("not_placed")) notPlaced += 1;
  });
  const before = node.counts.repeated;
  const began = performance.now();
  await service.api.post(anything, `/api/v1/campaigns/${id}/start`);
  const perSecond = async (calls: ReadonlySet<string>) => {
    while (calls.size < CALLS && performance.now() - began < PATIENCE_MILLIS) await wait(LOOK_EVERY_MILLIS);
    return (calls.size / (performance.now() - began)) * 1_000;
  };
  const rings = await perSecond(dialled);
  log(`${dialled.size} of ${CALLS} calls rang, ${rings.toFixed(0)} a second`);
  const ends = await perSecond(ended);
  log(`${ended.size} of ${CALLS} calls have ended, ${ends.toFixed(0)} a second`);
  const settings = await settingsOf(service);
  await service.remove();
  await node.stop();
  const { millisPerAppend, millisPerEvent } = REAL_NODE;
  return {
    benchmark: "slow-log",
    settings: {
      ...settings,
      ...LIMITS_SHOWN,
      log: `a double of EventStoreDB in the process of the benchmark: ${millisPerAppend} ms for each append and ${millisPerEvent} ms for each event`,
      campaign: `${CALLS.toLocaleString("en")} contacts, all at once, ${ended.size} calls ended`,
    },
    rows: [
      row(
        "calls from the start to the last ring",
        "1/s",
        { ringfold: rings },
        { atLeast: GOAL_CALLS_A_SECOND },
      ),
      // Without a goal: with its conversation and retries a contact is some ten appends of 17 events, and
      // this node's one writer takes those of 88 ended calls a second.
      row("calls from the start to the last end", "1/s", { ringfold: ends }),
      row("calls not placed", "calls", { ringfold: notPlaced }, { atMost: 0 }),
      row(
        "appends that were repeated",
        "appends",
        { ringfold: node.counts.repeated - before },
        { atMost: CALLS / 100 },
      ),
    ],
  };
}
