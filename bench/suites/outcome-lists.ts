import process from "node:process";
import { anything } from "../bench-api.ts";
import { settingsOf, startBenchService } from "../bench-service.ts";
import type { Benchmark, Result } from "../benchmark.ts";
import { fillManyCalls } from "../many-calls.ts";
import { row } from "../rows.ts";

const CALLS = Number(process.env["SEARCH_CALLS"] ?? 1_000_000);
const ASKED = 20;
const GOAL_MILLIS = 100;

/** Lists of calls by what they brought home, beside a list of each value that is joined with the others. */
export const benchmark: Benchmark = { name: "outcome-lists", run: ({ log }) => measure(log) };

type Case = {
  readonly what: string;
  /** What `GET /calls` is asked, after its limit. */
  readonly asked: string;
};

const CASES: readonly Case[] = [
  { what: "one value, of half of the calls", asked: "success=true" },
  { what: "one value, of ten calls", asked: "outcome.mood=furious" },
  { what: "two, a sixth of the calls has both", asked: "success=true&outcome.mood=angry" },
  { what: "two, each of half, no call has both", asked: "success=true&outcome.confirmed=false" },
  { what: "two, each of half, a quarter, and all are old", asked: "success=true&outcome.plan=gold" },
  { what: "two, ten calls have both", asked: "outcome.mood=furious&success=false" },
  {
    what: "three, no call has all",
    asked: "success=true&outcome.plan=gold&outcome.confirmed=false&outcome.mood=calm",
  },
  { what: "one, in an old campaign", asked: `success=true&campaignId=cmp_${"7".padStart(26, "0")}` },
  {
    what: "two, in a campaign where no call has both",
    asked: `success=true&outcome.plan=silver&campaignId=cmp_${"7".padStart(26, "0")}`,
  },
  { what: "two, of those that failed, no call", asked: "success=false&outcome.mood=calm&status=failed" },
  {
    what: "two, no call has both, in old days",
    asked: "success=true&outcome.confirmed=false&until=2026-08-05T00:00:00Z",
  },
];

async function measure(log: (line: string) => void): Promise<Result> {
  const service = await startBenchService();
  log(`${CALLS.toLocaleString("en")} calls`);
  await fillManyCalls(service.pool, CALLS);
  const { rows: owners } = await service.pool.query<{ readonly owner: string }>(
    "select owner from read.calls_v3 limit 1",
  );
  const owner = owners[0]?.owner ?? "";
  const newest = `call_${String(CALLS + 1).padStart(26, "0")}`;
  const deep = `call_${String(Math.floor(CALLS / 4)).padStart(26, "0")}`;
  const rows = [];
  for (const { what, asked } of CASES)
    for (const [page, after] of [
      ["", newest],
      [", a deep page", deep],
    ] as const) {
      log(`${what}${page}`);
      const path = `/api/v1/calls?limit=50&${asked}${after === newest ? "" : `&cursor=${cursorAt(after)}`}`;
      const joined = joinedLists(new URLSearchParams(asked), owner, after);
      const ringfold = await p95(() => service.api.get(anything, path));
      const figures = { ringfold, "lists joined": await p95(() => service.pool.query(joined)) };
      rows.push(row(`${what}${page}, p95`, "ms", figures, { atMost: GOAL_MILLIS }));
    }
  const settings = await settingsOf(service);
  await service.remove();
  return {
    benchmark: "outcome-lists",
    settings: { ...settings, calls: CALLS, asked: `${ASKED} times, one after another` },
    rows,
  };
}

/** The same list by a list of each value: what its cost is without an index of several values. */
function joinedLists(asked: URLSearchParams, owner: string, after: string) {
  const others: Readonly<Record<string, string>> = {
    campaignId: "campaign_id =",
    status: "ended_as =",
    until: "created_at <",
  };
  const values = [
    owner,
    after,
    ...[...asked].map(([name, value]) => (name in others ? value : `${name}=${value}`)),
  ];
  const wanted = [...asked].map(([name], at) =>
    others[name] === undefined
      ? `id in (select call_id from read.outcome_terms_v3 where owner = $1 and term = $${at + 3})`
      : `${others[name]} $${at + 3}`,
  );
  const text = `select request, progress from read.calls_v3 where owner = $1 and id < $2 and ${wanted.join(" and ")}
    order by id desc limit 51`;
  return { text, values };
}

const cursorAt = (id: string): string => Buffer.from(`calls:${id}`).toString("base64url");

async function p95(ask: () => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  for (let run = 0; run < ASKED; run += 1) {
    const began = performance.now();
    await ask();
    took.push(performance.now() - began);
  }
  return took.toSorted((a, b) => a - b)[Math.floor(ASKED * 0.95)] ?? Number.NaN;
}
