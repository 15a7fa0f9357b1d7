import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { runResults } from "./run-results.ts";
import { secondTryOf, together } from "./second-try.ts";

/*
 * Runs the few test files that failed in the parallel run once more, alone, and reports both. Usage: node
 * second-try-program.ts <results of the first run>. Exits with the count of both runs together, and with 0
 * when nothing failed alone. docs/decisions/0041-second-try.md says why.
 */
const [resultsFile = ""] = process.argv.slice(2);
const first = runResults.parse(JSON.parse(readFileSync(resultsFile, "utf8")));
const files = secondTryOf(first);
if (files === null) {
  process.stdout.write("No second try: what failed does not fail by chance.\n");
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), "ringfold-second-try-"));
const secondFile = join(folder, "results.json");
process.stdout.write(`Once more, alone: ${files.join(", ")}\n`);
spawnSync("vitest", ["run", ...files, "--maxWorkers=1"], {
  stdio: "inherit",
  env: { ...process.env, RESULTS_JSON: secondFile, RESULTS_FILE: join(folder, "count") },
});
const second = runResults.parse(JSON.parse(readFileSync(secondFile, "utf8")));
rmSync(folder, { recursive: true, force: true });
const { passed, failed } = together(first, second);
const word = failed === 0 ? "passed" : "failed";
for (const { file, said } of first.files.filter((result) => files.includes(result.file)))
  process.stdout.write(`Failed beside the others, ${word} alone: ${file}\n${said.join("\n")}\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && second.files.length === files.length ? 0 : 1;
