import { execFile } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const VITEST = join(ROOT, "node_modules/vitest/vitest.mjs");
const CONFIG = "test/support/results-reporter/vitest.config.ts";

/** What a run with failures says, line by line. */
function saidByFailingRun(): Promise<string[]> {
  const { RESULTS_JSON: _mine, ...env } = process.env;
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
  expect(lines.at(-1)).toBe("4 passed, 5 failed");
  expect(lines.slice(-13, -9)).toEqual([
    expect.stringMatching(/^Passed at the second try only: .*fails\.fixture\.ts > passes at the second try$/),
    expect.stringContaining("expected 1 to be 2"),
    expect.stringMatching(/^Failed \(tried 2 times\): .*fails\.fixture\.ts > fails at every try$/),
    expect.stringContaining("expected 'this' to be 'that'"),
  ]);
  const files = lines
    .slice(-9, -1)
    .map((line) => line.replace(/^Failed to load or in a hook: .*\//, "Failed: "));
  const pairs = [0, 2, 4, 6].map((at) => files.slice(at, at + 2));
  expect(pairs.toSorted()).toEqual([
    ["Failed: after-all.fixture.ts", "nobody cleans up"],
    ["Failed: before-all-nested.fixture.ts", "nobody prepares the inner ones"],
    ["Failed: before-all.fixture.ts", "nobody prepares"],
    ["Failed: unreadable.fixture.ts", "nobody can read this file"],
  ]);
});
