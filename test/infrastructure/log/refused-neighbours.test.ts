import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AppendResult, EventStore } from "../../../application/ports/event-store.ts";
import { createPostgresEventStore } from "../../../infrastructure/log/postgres/event-store.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { exampleEvents, freshStream } from "../../contracts/event-store/example-events.ts";
import { migratedDatabase } from "../../support/database.ts";
import type { TestDatabase } from "../../support/postgres.ts";

let database: TestDatabase;
let store: EventStore;
beforeAll(async () => {
  database = await migratedDatabase();
  store = createPostgresEventStore(silentLogger, {
    connection: { connectionString: database.connectionString },
  });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

/** Appends asked for in the same turn are written as one group. */
async function appendTogether(refused: readonly boolean[]): Promise<(AppendResult & { stream: string })[]> {
  const streams = refused.map(() => freshStream());
  const settled = await Promise.allSettled(
    refused.map((isRefused, index) =>
      store.append(streams[index] ?? "", isRefused ? 7 : "no_stream", exampleEvents(index + 2)),
    ),
  );
  expect(settled.map(({ status }) => status === "rejected")).toEqual(refused);
  return settled.flatMap((one, index) =>
    one.status === "fulfilled" ? [{ ...one.value, stream: streams[index] ?? "" }] : [],
  );
}

describe("the position of an append is that of its own last event", () => {
  it.each([
    ["before it", [true, false]],
    ["after it", [false, true]],
    ["on both sides", [true, false, true, false, true, true, false]],
    ["nowhere", [false, false, false]],
  ])("with a refused neighbour in its group %s", async (_where, refused) => {
    for (const { stream, position } of await appendTogether(refused)) {
      const [last] = await store.read(stream, { direction: "backward", max: 1 });
      expect(position).toBe(last?.position);
    }
  });

  it("also when it comes again after it was written, beside a refused one", async () => {
    const [stream, other] = [freshStream(), freshStream()];
    const events = exampleEvents(3);
    const first = await store.append(stream, "no_stream", events);
    const [again] = await Promise.allSettled([
      store.append(stream, "no_stream", events),
      store.append(other, 9, exampleEvents(4)),
    ]);
    expect(again).toEqual({ status: "fulfilled", value: first });
  });
});
