import { afterEach, beforeEach, expect, it } from "vitest";
import type { CallRequested } from "../../domain/call/events.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import { systemIds } from "../../infrastructure/ids.ts";
import { BACKGROUND_MODELS, READ_MODELS } from "../../projections/read-models.ts";
import { CALLS_OF_A_BLOCK } from "../../projections/search/call-blocks.ts";
import { callRequest } from "./example-events.ts";
import { randomHistory } from "./random-history.ts";
import { allRows, openReadWorld, queriesOf, type ReadWorld } from "./read-world.ts";

const LONG = 60_000;

let world: ReadWorld;
beforeEach(async () => {
  world = await openReadWorld();
});
afterEach(() => world.close());

it("equal their rebuild in every row after a random history, and count each call once", async () => {
  const models = world.start({ projections: [...READ_MODELS, ...BACKGROUND_MODELS] });
  const history = randomHistory(31, 600);
  await world.append(history);
  expect(await models.positions.waitFor(await world.eventStore.head(), LONG)).toBe(true);
  const live = await allRows(world.db, BACKGROUND_MODELS);
  const queries = queriesOf(world, models);
  const edges = ["2020-01-01T00:00:00.000Z", "2100-01-01T00:00:00.000Z"] as const;
  const owners = new Set(history.map(({ owner }) => owner));
  for (const owner of owners) {
    const counted = Object.values(await queries.callSeries(owner, { edges, by: "status" }));
    const calls = await queries.calls(owner, {}, { limit: 10_000, after: null });
    expect(counted.flat().reduce((a, b) => a + b, 0)).toBe(calls.rows.length);
  }
  await world.rebuild({}, BACKGROUND_MODELS);
  expect(await allRows(world.db, BACKGROUND_MODELS)).toEqual(live);
  expect(live["search_calls_v1"]?.length).toBeGreaterThan(5);
  expect(live["search_contact_blocks_v1"]?.length).toBeGreaterThan(3);
});

it("finds calls in blocks and beside them, page after page, newest first and each once", async () => {
  const owner = systemIds.next("usr");
  const ids = Array.from({ length: CALLS_OF_A_BLOCK + 30 }, () => systemIds.next("call"));
  // Stored in another order than they were made: blocks overlap.
  const stored = ids.map((id, place) => ids[place ^ 1] ?? id);
  await world.append(
    stored.map((callId, place) => ({
      stream: `call-${callId}`,
      owner,
      event: namedCall(callId, owner, place === 3 ? "Uwe" : place % 2 === 0 ? "Ayşe Öz" : null),
    })),
  );
  const models = world.start({ projections: [...READ_MODELS, ...BACKGROUND_MODELS] });
  expect(await models.positions.waitFor(await world.eventStore.head(), LONG)).toBe(true);
  const queries = queriesOf(world, models);
  const named = new Set(stored.filter((_, place) => place % 2 === 0));
  const found: string[] = [];
  for (let after: (typeof ids)[number] | null = null; ; ) {
    const page = await queries.calls(owner, { text: "ayse" }, { limit: 200, after });
    found.push(...page.rows.map(({ id }) => id));
    after = page.next;
    if (after === null) break;
  }
  expect(found).toEqual(
    ids
      .filter((id) => named.has(id))
      .toSorted()
      .toReversed(),
  );
  const { calls } = await queries.search(owner, "öz", new Set(["calls"] as const));
  expect(calls.map(({ id }) => id)).toEqual(found.slice(0, 10));
  // In a block, and nowhere beside it.
  const { calls: old } = await queries.search(owner, "uwe", new Set(["calls"] as const));
  expect(old).toMatchObject([{ id: stored[3], title: "Uwe (+15005550006)" }]);
  // A page that is just full is the last one if nothing follows, and has a next one if something does.
  const page = (limit: number) => queries.calls(owner, { text: "ayse" }, { limit, after: null });
  expect((await page(found.length)).next).toBeNull();
  expect((await page(found.length - 1)).next).toBe(found.at(-2));
});

function namedCall(callId: CallId, owner: OwnerId, contactName: string | null): CallRequested {
  const at = "2026-09-01T10:00:00.000Z";
  const { type, data } = callRequest({ callId, owner, campaignId: null, contactId: null, attempt: 1, at });
  return { type, data: { ...data, contactName } };
}
