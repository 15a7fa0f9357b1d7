import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");

/** A file that only a neighbour in its folder imports says something of its own from so many lines on. */
const OWN_FILE_LINES = 40;
/** The longest file that a merge may make. */
const LONGEST_FILE = 400;

/** Small files with one importer that stay as they are, each with its reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "infrastructure/postgres/migrations/": "a migration is one file, never edited once it has been released",
  "infrastructure/connections/ask-postgres-worker.ts": "the entry of a thread of its own",
  "simulation/campaigns/in-turns.ts": "a tool of many tests",
  "simulation/campaigns/simulated-ids.ts": "a tool of many tests",
  "simulation/drills/eventually.ts": "a tool of many tests",
  "simulation/drills/remove-folder.ts": "a tool of many tests",
};

/** How many are left in each room, but for the exceptions. They may only become fewer. */
const LEFT: Readonly<Record<string, number>> = {
  domain: 0,
  application: 0,
  infrastructure: 0,
  projections: 0,
  simulation: 0,
  composition: 0,
  programs: 0,
  bench: 0,
  client: 0,
  api: 0,
  "dashboard/src": 36,
};

const sources = [...Object.keys(LEFT), "test"].flatMap((room) =>
  readdirSync(join(ROOT, room), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(room, name)),
);
const texts = new Map(sources.map((file) => [file, readFileSync(join(ROOT, file), "utf8")]));
const linesOf = (file: string) => (texts.get(file) ?? "").split("\n").length - 1;

/** Who imports a file, tests left out: what only tests open is no reason for a file of its own. */
const importers = new Map<string, Set<string>>();
for (const [file, text] of texts) {
  if (file.startsWith("test/")) continue;
  for (const [, from, bare, lazy] of text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^"';]*?from\s*"(\.[^"]+)"|(?:^|\n)\s*import\s*"(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"/g,
  )) {
    const target = relative(ROOT, resolve(ROOT, dirname(file), from ?? bare ?? lazy ?? ""));
    if (texts.has(target)) importers.set(target, (importers.get(target) ?? new Set()).add(file));
  }
}

function belongsInItsImporter(file: string): boolean {
  const [importer, ...others] = importers.get(file) ?? [];
  if (importer === undefined || others.length > 0 || dirname(importer) !== dirname(file)) return false;
  return linesOf(file) < OWN_FILE_LINES && linesOf(importer) + linesOf(file) <= LONGEST_FILE;
}

const isException = (file: string) => Object.keys(EXCEPTIONS).some((path) => file.startsWith(path));

describe("a file of fewer than 40 lines that one neighbour imports", () => {
  it("is looked for everywhere: this test read the files it speaks of", () => {
    expect(sources.length).toBeGreaterThan(1_700);
    expect([...importers.values()].filter(({ size }) => size === 1).length).toBeGreaterThan(300);
  });

  it.each(Object.entries(LEFT))("is part of it, in %s but for %i", (room, left) => {
    const found = sources.filter(
      (file) => file.startsWith(`${room}/`) && belongsInItsImporter(file) && !isException(file),
    );
    expect(found.length, found.join("\n")).toBeLessThanOrEqual(left);
  });

  it("stays only with a reason that still holds", () => {
    const held = sources.filter(belongsInItsImporter);
    expect(Object.keys(EXCEPTIONS).filter((path) => !held.some((file) => file.startsWith(path)))).toEqual([]);
  });
});
