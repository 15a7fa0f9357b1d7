import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const tracked = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" }).trim().split("\n");
const documents = tracked.filter((file) => /^(README|docs\/[^/]+)\.md$/.test(file));

/** What stands in backticks and looks like the path of one source file. */
function namedIn(document: string): string[] {
  const text = readFileSync(join(ROOT, document), "utf8");
  return [...text.matchAll(/`([^`\s*]+\/[^`\s*]+\.ts)`/g)].map(([, path = ""]) => path);
}

it("every source file that README and docs name by its path is there", () => {
  const named = documents.flatMap((document) => namedIn(document).map((path) => ({ document, path })));
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(({ path }) => !tracked.includes(path))).toEqual([]);
});
