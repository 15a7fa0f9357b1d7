import { afterAll, beforeAll, expect, it } from "vitest";
import { createRowWriter } from "../../../projections/engine/row-writer.ts";
import { recordedRequest } from "../example-events.ts";
import { openReadWorld, type ReadWorld } from "../read-world.ts";

let world: ReadWorld;
beforeAll(async () => {
  world = await openReadWorld();
});
afterAll(() => world.close());

type Row = { readonly revision: number };

/** Rows count their events; from the third on they are over. */
function counted() {
  const table = new Map<string, Row>();
  const loads: (readonly string[])[] = [];
  const writer = createRowWriter<Row>({
    keyOf: ({ stream }) => stream,
    project: (_row, { revision }) => ({ revision }),
    load: async (_trx, keys) => {
      loads.push(keys);
      return new Map(keys.flatMap((key) => [...table].filter(([known]) => known === key)));
    },
    save: async (_trx, changes) => {
      for (const { key, after } of changes) if (after !== undefined) table.set(key, after);
    },
    remembered: 10,
    isOver: ({ revision }) => revision >= 2,
  });
  const write = (revision: number) =>
    world.db.transaction().execute((trx) => writer.write(trx, [recordedRequest(revision)]));
  return { table, loads, write };
}

it("remembers a row until it is over; what is told of it later is written all the same, and once", async () => {
  const { table, loads, write } = counted();
  await write(0);
  await write(1);
  await write(2);
  expect(loads).toEqual([["call-1"]]);
  await write(1);
  expect(table.get("call-1")).toEqual({ revision: 2 });
  await write(3);
  expect(loads).toHaveLength(3);
  expect(table.get("call-1")).toEqual({ revision: 3 });
});
