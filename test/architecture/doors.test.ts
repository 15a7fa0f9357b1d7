import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const ROOMS = [
  "domain",
  "application",
  "infrastructure",
  "projections",
  "simulation",
  "composition",
  "programs",
];
const OTHERS = ["api", "client", "dashboard/src", "bench", "test"];

/** How many doors a folder may have that is not named below. Beyond, it is asked what belongs together. */
const DOORS = 8;

/** More of them, as there are today. They may only become fewer. */
const MORE: Readonly<Record<string, number>> = {
  "domain/admission": 14,
  "domain/call": 13,
  "domain/campaign": 10,
  "domain/conversation": 15,
  "domain/policy": 11,
  "domain/shared": 17,
  application: 19,
  "application/call": 10,
  "application/call/analysis": 9,
  "application/campaign": 13,
  "application/campaign/runner": 20,
  "application/conversation": 12,
  "application/log": 14,
  "application/restore": 9,
  "application/webhook": 10,
  infrastructure: 9,
  "infrastructure/account/configuration": 10,
  "infrastructure/carriers/twilio": 9,
  "infrastructure/postgres": 19,
  "projections/engine": 15,
  "projections/history": 13,
  "simulation/campaigns": 15,
  "simulation/drills": 24,
  "simulation/memory": 12,
};

const files = [...ROOMS, ...OTHERS].flatMap((room) =>
  readdirSync(join(ROOT, room), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(room, name)),
);
const known = new Set(files);

/** Files of a folder that somebody outside of it imports, a test too. */
const doors = new Map<string, Set<string>>();
for (const file of files) {
  for (const [, from, bare, lazy] of readFileSync(join(ROOT, file), "utf8").matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^"';]*?from\s*"(\.[^"]+)"|(?:^|\n)\s*import\s*"(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"/g,
  )) {
    const target = relative(ROOT, resolve(ROOT, dirname(file), from ?? bare ?? lazy ?? ""));
    const folder = dirname(target);
    if (known.has(target) && !file.startsWith(`${folder}/`))
      doors.set(folder, (doors.get(folder) ?? new Set()).add(target));
  }
}
const inRooms = [...doors].filter(([folder]) => ROOMS.includes(folder.split("/")[0] ?? ""));

/** Folders of contracts, each a door by its nature: a port is there for others. */
const ALL_DOORS = /^application\/ports(\/|$)/;

describe("the doors of a folder, its files that are imported from outside of it", () => {
  it("are looked for everywhere: this test read the files it speaks of", () => {
    expect(files.length).toBeGreaterThan(1_700);
    expect(inRooms.length).toBeGreaterThan(70);
  });

  it("are few, but for those that are named with their number", () => {
    const tooMany = inRooms
      .filter(([folder]) => !ALL_DOORS.test(folder))
      .map(([folder, { size }]) => ({ folder, size }))
      .filter(({ folder, size }) => size > (MORE[folder] ?? DOORS));
    expect(tooMany).toEqual([]);
  });

  it("say their number as it is: who closes one says the new number here", () => {
    for (const [folder, size] of Object.entries(MORE)) {
      expect(size, folder).toBeGreaterThan(DOORS);
      expect(doors.get(folder)?.size, folder).toBe(size);
    }
  });
});
