import { readdir } from "node:fs/promises";
import process from "node:process";
import type { Benchmark } from "./benchmark.ts";
import { machine } from "./benchmark.ts";
import { tableOf } from "./table.ts";

/** `npm run bench [-- name …] [--json]`: every file of bench/suites, or the named ones, one after another. */
async function main(): Promise<void> {
  const given = process.argv.slice(2);
  const json = given.includes("--json");
  const names = given.filter((argument) => !argument.startsWith("--"));
  const chosen = (await allBenchmarks()).filter(({ name }) => names.length === 0 || names.includes(name));
  if (chosen.length === 0)
    throw new Error(
      `No benchmark of that name; there are ${(await allBenchmarks()).map(({ name }) => name).join(", ")}`,
    );
  const log = (line: string) => process.stderr.write(`${line}\n`);
  for (const benchmark of chosen) {
    log(`${benchmark.name} …`);
    const result = await benchmark.run({ log });
    process.stdout.write(
      json ? `${JSON.stringify({ machine: machine(), ...result })}\n` : tableOf(result, machine()),
    );
  }
}

async function allBenchmarks(): Promise<Benchmark[]> {
  const folder = new URL("suites/", import.meta.url);
  const files = (await readdir(folder)).filter((file) => file.endsWith(".ts")).sort();
  const modules: { readonly benchmark: Benchmark }[] = await Promise.all(
    files.map((file) => import(new URL(file, folder).href)),
  );
  return modules.map(({ benchmark }) => benchmark);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
