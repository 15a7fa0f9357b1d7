import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ALONE, BROWSER_FILES, firstHalf, PROGRAMS } from "./halves.ts";

/** How a test starts a program, or the double of EventStoreDB. */
const STARTS =
  /"[^"]*(?:drills\/program|programs\/run-program|embedded\/holder|support\/eventstoredb\/[\w-]+)\.ts"|"node:child_process"/;

const MAY: Readonly<Record<string, string>> = {
  "test/api/document-lint.test.ts": "the linters of the document, from node_modules",
  "test/api/erasures.test.ts": "its promises hold over both logs",
  "test/api/restore-guard.test.ts": "its promises hold over both logs",
  "test/architecture/comments.test.ts": "asks git which files there are",
  "test/architecture/named-files.test.ts": "asks git which files there are",
  "test/support/halves.test.ts": "its pattern",
  "test/support/results-reporter.test.ts": "a vitest whose tests fail",
  "test/support/second-try/second-try.test.ts": "the last line of .ci/run",
};

it("npm test starts no second program but PostgreSQL", () => {
  const files = firstHalf();
  expect(files.length).toBeGreaterThan(300);
  const starting = files.filter((file) => STARTS.test(readFileSync(file, "utf8")));
  expect(starting.toSorted()).toEqual(Object.keys(MAY).toSorted());
});

it("no file runs twice", () => {
  const groups = [ALONE, PROGRAMS, [BROWSER_FILES]].flatMap((globs) => [...new Set(globSync(globs))]);
  expect(groups.filter((file, at) => groups.indexOf(file) !== at)).toEqual([]);
});

it("the other half has what only a second program shows", () => {
  const files = firstHalf();
  for (const folder of ["test/drills/", "test/programs/", "test/dashboard/browser/"])
    expect(files.filter((file) => file.startsWith(folder))).toEqual([]);
  expect(PROGRAMS).toContain("test/**/*.peers.test.ts");
});
