import { execFile } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const VITEST = join(ROOT, "node_modules/vitest/vitest.mjs");
const CONFIG = "test/support/results-reporter/vitest.config.ts";

/** What a run with failures says, line by line. */
function saidByFailingRun(): Promise<string[]> {
  const { RESULTS_FILE: _mine, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [VITEST, "run", "--config", CONFIG, "--no-color"],
      { cwd: ROOT, env },
      (_, stdout) => resolve(stdout.trimEnd().split("\n")),
    );
  });
}

it("names what failed, and what passed at a second try only, after everything else, and then how much passed", async () => {
  const lines = await saidByFailingRun();
  expect(lines.at(-1)).toBe("2 passed, 2 failed");
  expect(lines.slice(-7, -1)).toEqual([
    expect.stringMatching(/^Passed at the second try only: .*fails\.fixture\.ts > passes at the second try$/),
    expect.stringContaining("expected 1 to be 2"),
    expect.stringMatching(/^Failed \(tried 2 times\): .*fails\.fixture\.ts > fails at every try$/),
    expect.stringContaining("expected 'this' to be 'that'"),
    expect.stringMatching(/^Failed to load: .*unreadable\.fixture\.ts$/),
    "nobody can read this file",
  ]);
});
