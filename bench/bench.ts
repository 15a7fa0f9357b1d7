import { readdir } from "node:fs/promises";
import process from "node:process";
import { orStopped, runProgram } from "../programs/ways-out.ts";
import type { Benchmark } from "./benchmark.ts";
import { machine } from "./benchmark.ts";
import { tableOf } from "./table.ts";

/** `npm run bench [-- name …] [--json]`: every file of bench/suites, or the named ones, one after another. */
async function main(): Promise<number> {
  const given = process.argv.slice(2);
  const json = given.includes("--json");
  const names = given.filter((argument) => !argument.startsWith("--"));
  const all = await benchmarkNames();
  const chosen = all.filter((name) => names.length === 0 || names.includes(name));
  const unknown = names.filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new Error(`No benchmark ${unknown.join(", ")}; there are ${all.join(", ")}`);
  const log = (line: string) => process.stderr.write(`${line}\n`);
  for (const name of chosen) {
    const benchmark = await load(name);
    log(`${name} …`);
    const result = await benchmark.run({ log });
    process.stdout.write(
      json ? `${JSON.stringify({ machine: machine(), ...result })}\n` : tableOf(result, machine()),
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
