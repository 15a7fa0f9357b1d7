import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const ROOMS = ["domain", "application", "infrastructure", "contract", "api", "projections", "composition"];

const files = ROOMS.flatMap((room) =>
  readdirSync(join(ROOT, room), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(room, name)),
);

/** What docs/changing.md says of an endpoint that writes. It may only become less. */
const MOST_FILES = 7;

it.each([
  { event: "SquadHandoffRemoved", command: "RemoveHandoff", useCase: "removeHandoff" },
  { event: "SquadMemberAdded", command: "AddMember", useCase: "addMember" },
  { event: "SquadDeleted", command: "DeleteSquad", useCase: "deleteSquad" },
])("an endpoint that writes ($command) is named in few files, beside what shows its event", (names) => {
  const name = new RegExp(`\\b(${Object.values(names).join("|")})\\b`);
  const named = files.filter((file) => name.test(readFileSync(join(ROOT, file), "utf8")));
  const shown = named.filter((file) => file.startsWith("projections/"));
  expect(shown).toContain("projections/squads/squad-row.ts");
  expect(named.length - shown.length, named.join(", ")).toBeLessThanOrEqual(MOST_FILES);
});
