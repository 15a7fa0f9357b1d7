import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { countLine, countOf, type RunResults } from "./run-results.ts";
import { halfOf, joined, secondTryOf, together } from "./second-try.ts";

/*
 * What the halves of a run came to, as one. Usage: node second-try-program.ts (<exit status> <results>)...
 * The few files that failed by what the machine did are run once more, alone, and both results are said:
 * docs/decisions/0041-second-try.md says why. Ends with the count of all, and with 0 when nothing failed, or
 * nothing did alone.
 */
const given = process.argv.slice(2);
const halves = given.flatMap((file, at) => (at % 2 === 0 ? [] : [half(Number(given[at - 1]), file)]));
const results = retried(joined(halves));
process.stdout.write(`${countLine(results)}\n`);
process.exitCode = halves.length > 0 && countOf(results).failed === 0 ? 0 : 1;

function half(status: number, file: string): RunResults {
  return halfOf(status, existsSync(file) ? readFileSync(file, "utf8") : null);
}

function retried(first: RunResults): RunResults {
  if (countOf(first).failed === 0) return first;
  const files = secondTryOf(first);
  if (files === null) {
    process.stdout.write("No second try: what failed does not fail by chance.\n");
    return first;
  }
  process.stdout.write(`Once more, alone: ${files.join(", ")}\n`);
  const second = again(files);
  const complete = files.every((file) => second.files.some((result) => result.file === file));
  const both = together(first, complete ? second : { ...second, outside: second.outside + 1 });
  const word = countOf(both).failed === 0 ? "passed" : "failed";
  for (const { file, said } of first.files.filter((result) => files.includes(result.file)))
    process.stdout.write(`Failed beside the others, ${word} alone: ${file}\n${said.join("\n")}\n`);
  return both;
}

function again(files: readonly string[]): RunResults {
  const folder = mkdtempSync(join(tmpdir(), "ringfold-second-try-"));
  const file = join(folder, "results.json");
  const { status } = spawnSync("vitest", ["run", ...files, "--maxWorkers=1"], {
    stdio: "inherit",
    env: { ...process.env, RESULTS_JSON: file },
  });
  const results = half(status ?? 1, file);
  rmSync(folder, { recursive: true, force: true });
  return results;
}
