import { afterAll, beforeAll, expect, it } from "vitest";
import type { Queries } from "../../application/ports/queries.ts";
import type { SquadEvent, SquadMember } from "../../domain/squad/events.ts";
import { at } from "../domain/campaign/example-campaign.ts";
import { openReadWorld, queriesOf, type ReadWorld } from "./read-world.ts";

const OWNER = "usr_1";
const OTHER = "usr_2";
const squadId = "sqd_1";

let world: ReadWorld;
let queries: Queries;
let happened: (events: readonly SquadEvent[]) => Promise<void>;
beforeAll(async () => {
  world = await openReadWorld();
  const models = world.start();
  queries = queriesOf(world, models);
  happened = async (events) => {
    await world.append(events.map((event) => ({ stream: `squad-${squadId}`, owner: OWNER, event })));
    expect(await models.positions.waitFor(await world.eventStore.head(), 60_000)).toBe(true);
  };
});
afterAll(() => world.close());

const member = (letter: "a" | "b" | "c", position: number, isEntry: boolean): SquadMember => ({
  memberId: `mbr_${letter}`,
  assistantId: `ast_${letter}`,
  assistantVersion: null,
  isEntry,
  position,
  overrideSettings: {},
});
const handoff = {
  handoffId: "hnd_1",
  fromMemberId: "mbr_b",
  toMemberId: "mbr_c",
  toolName: "to_c",
  description: "when asked",
  message: null,
  contextMode: "all",
  contextMaxMessages: null,
  variables: [],
  enabled: true,
} as const;

/** As the row has it, and as the log tells it. */
async function squad() {
  const row = await queries.squad(OWNER, squadId);
  expect(await queries.squadFromLog(OWNER, squadId)).toEqual(row);
  return row;
}

it("a squad shows each member and handoff as it is now, and since when it is there", async () => {
  const data = { squadId, owner: OWNER, name: "Nord", description: null, overrideSettings: {} } as const;
  await happened([
    { type: "SquadCreated", data: { ...data, at: at(0) } },
    { type: "SquadMemberAdded", data: { squadId, at: at(1), member: member("a", 2, true) } },
    { type: "SquadMemberAdded", data: { squadId, at: at(2), member: member("b", 1, false) } },
    { type: "SquadMemberAdded", data: { squadId, at: at(3), member: member("c", 1, false) } },
    { type: "SquadHandoffAdded", data: { squadId, at: at(4), handoff } },
  ]);
  expect(await squad()).toMatchObject({
    members: [
      { id: "mbr_b", position: 1, isEntry: false, createdAt: at(2), updatedAt: at(2) },
      { id: "mbr_c", position: 1, isEntry: false, createdAt: at(3), updatedAt: at(3) },
      { id: "mbr_a", position: 2, isEntry: true, createdAt: at(1), updatedAt: at(1) },
    ],
    handoffs: [{ fromAssistantId: "ast_b", toAssistantId: "ast_c", createdAt: at(4), updatedAt: at(4) }],
    createdAt: at(0),
    updatedAt: at(4),
  });
  await happened([
    { type: "SquadMemberChanged", data: { squadId, at: at(5), member: member("c", 0, true) } },
    { type: "SquadHandoffChanged", data: { squadId, at: at(6), handoff: { ...handoff, enabled: false } } },
  ]);
  // The new entry takes that from the one before.
  expect(await squad()).toMatchObject({
    members: [
      { id: "mbr_c", isEntry: true, createdAt: at(3), updatedAt: at(5) },
      { id: "mbr_b", isEntry: false, createdAt: at(2), updatedAt: at(2) },
      { id: "mbr_a", isEntry: false, createdAt: at(1), updatedAt: at(5) },
    ],
    handoffs: [{ id: "hnd_1", enabled: false, createdAt: at(4), updatedAt: at(6) }],
    updatedAt: at(6),
  });
});

it("an assistant is in a squad while it is a member of it, for its owner alone, and a deleted squad is gone", async () => {
  const isIn = (letter: string, owner: "usr_1" | "usr_2" = OWNER) =>
    queries.assistantInSquad(owner, `ast_${letter}`);
  expect([await isIn("c"), await isIn("c", OTHER), await isIn("none")]).toEqual([true, false, false]);
  expect([
    await queries.squad(OTHER, squadId),
    (await queries.squads(OTHER, { limit: 9, after: null })).rows,
  ]).toEqual([null, []]);
  const removed = { memberId: "mbr_c", removedHandoffIds: ["hnd_1"], newEntryMemberId: "mbr_a" } as const;
  await happened([{ type: "SquadMemberRemoved", data: { squadId, at: at(7), ...removed } }]);
  expect([await isIn("c"), await isIn("b")]).toEqual([false, true]);
  expect(await squad()).toMatchObject({
    members: [{ id: "mbr_b" }, { id: "mbr_a", isEntry: true, updatedAt: at(7) }],
    handoffs: [],
  });
  await happened([{ type: "SquadDeleted", data: { squadId, at: at(8) } }]);
  expect([await squad(), await isIn("b")]).toEqual([null, false]);
});

it("a page of squads ends behind 8 MiB of them, and the next one goes on", async () => {
  const description = "x".repeat(500_000);
  const ids = Array.from(
    { length: 20 },
    (_, index) => `sqd_large_${String(index).padStart(2, "0")}` as const,
  );
  await world.append(
    ids.map((id) => ({
      stream: `squad-${id}` as const,
      owner: OTHER,
      event: {
        type: "SquadCreated",
        data: { squadId: id, owner: OTHER, name: "Nord", description, overrideSettings: {}, at: at(9) },
      },
    })),
  );
  await happened([]);
  const first = await queries.squads(OTHER, { limit: 200, after: null });
  const newestFirst = ids.toReversed();
  expect(first.rows.map(({ id }) => id)).toEqual(newestFirst.slice(0, 17));
  expect(first.next).toBe(newestFirst[16]);
  const second = await queries.squads(OTHER, { limit: 200, after: first.next });
  expect(second.rows.map(({ id }) => id)).toEqual(newestFirst.slice(17));
  expect(second.next).toBeNull();
  expect((await queries.squads(OTHER, { limit: 3, after: null })).next).toBe(newestFirst[2]);
});
