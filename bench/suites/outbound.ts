import process from "node:process";
import { LIMITS_SHOWN, settingsOf, startBenchService } from "../bench-service.ts";
import { alternate, type Benchmark, median, type Result } from "../benchmark.ts";
import { references } from "../campaign-set-up.ts";
import { type HttpRequest, httpLoad, httpOffered } from "../http-load.ts";
import { startRawServer } from "../raw-side.ts";
import { row } from "../rows.ts";
import { untilIdle } from "../run-campaign.ts";

const CLIENTS = 50;
const RUN_MILLIS = 2_000;
const RAW_POOL = 20;
/** Calls that are offered each second, whatever was answered, and for how long. */
const OFFERED = Number(process.env["OUTBOUND_OFFERED"] ?? 400);
const OFFERED_MILLIS = 5_000;

/**
 * Starting single calls, each answer after the hand-over to the carrier, beside the conversations that
 * follow: 50 clients, and a rate that is offered.
 */
export const benchmark: Benchmark = { name: "outbound", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const service = await startBenchService({ env: { SIMULATOR_SPEED: "100000" } });
  const given = await references(service);
  const raw = await startRawServer(service, {});
  const body = (index: number) => JSON.stringify({ ...given, to: `+1202${5_000_000 + (index % 1_000_000)}` });
  const start = (index: number): HttpRequest => ({
    method: "POST",
    path: "/api/v1/calls/outbound",
    body: body(index),
  });
  const latencies: number[] = [];
  let started = 0;
  const medians = await alternate([
    {
      name: "ringfold",
      run: async () => {
        const { rate, done, p99 } = await httpLoad(service, CLIENTS, RUN_MILLIS, start);
        started += done;
        latencies.push(p99);
        log(`${Math.round(rate)} a second, p99 ${Math.round(p99)} ms`);
        return rate;
      },
    },
    {
      name: "Fastify + INSERT",
      run: async () => {
        const target = { url: raw.url, apiKey: service.apiKey };
        return (
          await httpLoad(target, CLIENTS, RUN_MILLIS, (index) => ({
            method: "POST",
            path: "/raw",
            body: body(index),
          }))
        ).rate;
      },
    },
  ]);
  await untilIdle(service);
  const offered = await httpOffered(service, OFFERED, OFFERED_MILLIS, start);
  started += offered.done;
  log(`${OFFERED} a second offered: p99 ${Math.round(offered.p99)} ms`);
  const { rows } = await service.pool.query<{ n: number }>(
    "select count(*)::int as n from log.events where type = 'CallDialingBegan'",
  );
  if (rows[0]?.n !== started) throw new Error(`${started} calls answered, ${rows[0]?.n} begun in the log`);
  const settings = await settingsOf(service);
  await raw.stop();
  await service.remove();
  return {
    benchmark: "outbound",
    settings: {
      ...settings,
      ...LIMITS_SHOWN,
      "pool raw": RAW_POOL,
      clients: CLIENTS,
      carrier: "simulated, in process, speed 100,000",
      runs: `5 of ${RUN_MILLIS} ms, alternating; then ${OFFERED_MILLIS} ms at the offered rate`,
      counted: "every call in the log",
    },
    rows: [
      row("outbound start over HTTP", "1/s", medians, { atLeast: 600 }),
      row("the same, p99", "ms", { ringfold: median(latencies) }),
      row(`${OFFERED} a second offered: answered`, "1/s", { ringfold: offered.rate }),
      row("the same, p99", "ms", { ringfold: offered.p99 }, { atMost: 100 }),
    ],
  };
}
