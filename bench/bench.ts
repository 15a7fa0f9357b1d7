import { readdir } from "node:fs/promises";
import process from "node:process";
import { type Command, readCommandLine, UsageError } from "../programs/command-line.ts";
import { orStopped, runProgram } from "../programs/process-exit.ts";
import { type Benchmark, machine, type Result, type Row } from "./benchmark.ts";

const BENCH = {
  usage: "npm run bench [-- name …] [--json]",
  about:
    "Figures beside their peers (npm ci --prefix bench installs these): every file of bench/suites, or the named ones, one after another. docs/performance.md tells what they mean.",
  options: { json: { type: "boolean", default: false, about: "a line of JSON for each in place of tables" } },
  takesWords: true,
  environment: [
    ["<SUITE>_EVENTS, …", "how large a suite is; docs/performance.md names the variables"],
    ["BENCH_PROFILE", "folder that a CPU profile of the service is written to"],
  ],
  exitCodes: { 0: "measured", 1: "one could not be measured; the line says why" },
} as const satisfies Command;

/** `npm run bench [-- name …] [--json]`: every file of bench/suites, or the named ones, one after another. */
async function main(): Promise<number> {
  const given = await readCommandLine(BENCH);
  if (given === null) return 0;
  const names = given.positionals;
  const all = await benchmarkNames();
  const chosen = all.filter((name) => names.length === 0 || names.includes(name));
  const unknown = names.filter((name) => !all.includes(name));
  if (unknown.length > 0)
    throw new UsageError(`No benchmark ${unknown.join(", ")}; there are ${all.join(", ")}`, BENCH);
  const log = (line: string) => process.stderr.write(`${line}\n`);
  for (const name of chosen) {
    const benchmark = await load(name);
    log(`${name} …`);
    const result = await benchmark.run({ log });
    process.stdout.write(
      given.values.json
        ? `${JSON.stringify({ machine: machine(), ...result })}\n`
        : tableOf(result, machine()),
    );
  }
  return 0;
}

const SUITES = new URL("suites/", import.meta.url);

async function benchmarkNames(): Promise<string[]> {
  const files = await readdir(SUITES);
  return files
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.slice(0, -3))
    .sort();
}

async function load(name: string): Promise<Benchmark> {
  try {
    const suite: { readonly benchmark: Benchmark } = await import(new URL(`${name}.ts`, SUITES).href);
    return suite.benchmark;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) throw error;
    throw new Error(`${error.message}\nThe peers are installed by: npm ci --prefix bench`);
  }
}

runProgram((stop) => orStopped(stop, main()));

/** A result as a Markdown table, with its settings above. */
function tableOf(
  { benchmark, settings, rows }: Result,
  machine: Readonly<Record<string, string | number>>,
): string {
  const sides = [...new Set(rows.flatMap((row) => Object.keys(row.medians)))];
  const header = ["what", ...sides, "unit", "goal", "reached"];
  const lines = [header, header.map(() => "---"), ...rows.map((row) => cells(row, sides))];
  const facts = Object.entries({ ...machine, ...settings }).map(([name, value]) => `${name} ${value}`);
  return `\n## ${benchmark}\n\n${facts.join(" · ")}\n\n${lines.map((line) => `| ${line.join(" | ")} |`).join("\n")}\n`;
}

function cells(row: Row, sides: readonly string[]): string[] {
  const figures = sides.map((side) => formatted(row.medians[side]));
  return [
    row.what,
    ...figures,
    row.unit,
    row.goal ?? "–",
    row.reached === null ? "–" : row.reached ? "yes" : "no",
  ];
}

function formatted(figure: number | undefined): string {
  if (figure === undefined) return "–";
  return figure >= 100 ? Math.round(figure).toLocaleString("en") : figure.toPrecision(3);
}
