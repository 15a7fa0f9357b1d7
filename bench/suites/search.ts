import process from "node:process";
import { anything } from "../bench-api.ts";
import { type BenchService, settingsOf, startBenchService } from "../bench-service.ts";
import type { Benchmark, Result } from "../benchmark.ts";
import { fillManyCalls } from "../many-calls.ts";
import { row } from "../rows.ts";

const CALLS = Number(process.env["SEARCH_CALLS"] ?? 1_000_000);
const ASKED = 100;

/** Searches and counts over a million calls and as many contacts. */
export const benchmark: Benchmark = { name: "search", run: ({ log }) => measure(log) };

type Case = { readonly what: string; readonly path: (run: number) => string; readonly atMost: number };

const digits = (run: number) => String((run * 104_729) % 10_000_000).padStart(7, "0");
const month = "from=2026-08-01T00:00:00Z&until=2026-08-31T00:00:00Z";

const CASES: readonly Case[] = [
  { what: "search: 7 digits, in few numbers", path: (run) => `/search?q=${digits(run)}`, atMost: 100 },
  { what: "search: 4 digits, in many", path: (run) => `/search?q=${digits(run).slice(3)}`, atMost: 100 },
  { what: "search: 5 digits, in every number", path: () => "/search?q=90532", atMost: 100 },
  { what: "search: digits in none", path: (run) => `/search?q=777${digits(run)}`, atMost: 100 },
  { what: "search: the beginning of a name", path: () => "/search?q=marg", atMost: 100 },
  { what: "search: two words, in few names", path: () => "/search?q=margaret ada", atMost: 100 },
  { what: "search: a name that nobody has", path: (run) => `/search?q=nobody${run}`, atMost: 100 },
  { what: "calls with 7 digits", path: (run) => `/calls?q=${digits(run)}`, atMost: 100 },
  { what: "calls with digits in every number", path: () => "/calls?q=90532&limit=50", atMost: 100 },
  { what: "series: 30 days by hour", path: () => `/calls/series?step=1h&${month}`, atMost: 50 },
  {
    what: "series: 30 days of Istanbul by endReason",
    path: () => `/calls/series?step=1d&by=endReason&timezone=Europe/Istanbul&${month}`,
    atMost: 50,
  },
  {
    what: "series: a day by minute",
    path: () => "/calls/series?step=1m&from=2026-08-10T00:00:00Z&until=2026-08-11T00:00:00Z",
    atMost: 50,
  },
];

async function measure(log: (line: string) => void): Promise<Result> {
  const service = await startBenchService();
  log(`${CALLS.toLocaleString("en")} calls, and as many contacts`);
  await fillManyCalls(service.pool, CALLS);
  const rows = [];
  for (const { what, path, atMost } of CASES) {
    log(what);
    rows.push(row(`${what}, p95`, "ms", { ringfold: await p95(service, path) }, { atMost }));
  }
  const settings = await settingsOf(service);
  await service.remove();
  return {
    benchmark: "search",
    settings: { ...settings, calls: CALLS, contacts: CALLS, asked: `${ASKED} times, one after another` },
    rows,
  };
}

async function p95({ api }: BenchService, path: (run: number) => string): Promise<number> {
  const took: number[] = [];
  for (let run = 0; run < ASKED; run += 1) {
    const began = performance.now();
    await api.get(anything, `/api/v1${path(run)}`);
    took.push(performance.now() - began);
  }
  return took.toSorted((a, b) => a - b)[Math.floor(ASKED * 0.95)] ?? Number.NaN;
}
