import { expect, it } from "vitest";
import type { ContractCase } from "./contract-case.ts";
import { exampleEvent, exampleEvents, freshStream, idsOf } from "./example-events.ts";
import { type HarnessCapabilities, promised } from "./harness.ts";

export function idempotenceCases({ store, harness }: ContractCase, capabilities: HarnessCapabilities): void {
  if (capabilities.restart)
    it("7: a retry with the same ids after a restart of the database has the same answer", async () => {
      const [stream, events] = [freshStream(), exampleEvents(3)];
      const answer = await store().append(stream, "no_stream", events);
      const database = promised(harness().database);
      await database.stop();
      await database.start();
      expect(await harness().open().append(stream, "no_stream", events)).toEqual(answer);
      expect(await harness().open().read(stream)).toHaveLength(3);
    });

  it("8: a duplicate sent while its original is in flight has the same answer; it is written once", async () => {
    const stores = [store(), harness().open(), store()];
    // At the same moment: a node answers a duplicate only after its commit timeout.
    const rounds = Array.from({ length: 8 }, async () => {
      const [stream, events] = [freshStream(), exampleEvents(2)];
      const answers = await Promise.all(stores.map((each) => each.append(stream, "no_stream", events)));
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(idsOf(await store().read(stream))).toEqual(idsOf(events));
    });
    await Promise.all(rounds);
  });

  it("13: a retry with the same ids has the same answer and doubles nothing", async () => {
    const [stream, events] = [freshStream(), exampleEvents(2)];
    const answer = await store().append(stream, "no_stream", events);
    expect(await store().append(stream, "no_stream", events)).toEqual(answer);
    expect(await store().read(stream)).toHaveLength(2);
  });

  it("14: so has a retry after later events", async () => {
    const [stream, events] = [freshStream(), exampleEvents(2, 1)];
    await store().append(stream, "no_stream", exampleEvents(1));
    const answer = await store().append(stream, 0, events);
    await store().append(stream, 2, exampleEvents(4, 3));
    expect(await store().append(stream, 0, events)).toEqual(answer);
    expect(await store().read(stream)).toHaveLength(7);
  });

  it("15: the same beginning with another end is a Conflict, and so is a part of it or more than it", async () => {
    const [stream, events] = [freshStream(), exampleEvents(3)];
    await store().append(stream, "no_stream", events);
    const others = [[...events.slice(0, 2), exampleEvent()], [...events, exampleEvent()], exampleEvents(1)];
    for (const other of others)
      await expect(store().append(stream, "no_stream", other)).rejects.toMatchObject({
        failure: { kind: "conflict", actual: 2 },
      });
  });

  it("15: an id twice in one append is refused", async () => {
    const [stream, event] = [freshStream(), exampleEvent()];
    const twice = [event, { ...exampleEvent(), id: event.id }];
    await expect(store().append(stream, "no_stream", twice)).rejects.toMatchObject({
      failure: { kind: "invalid_event", index: 1 },
    });
  });

  it(`15: an id that stands elsewhere in the stream is ${capabilities.refusesRepeatedIds ? "refused" : "not seen"}`, async () => {
    const [stream, event] = [freshStream(), exampleEvent()];
    await store().append(stream, "no_stream", [event, exampleEvent()]);
    const repeated = store().append(stream, 1, [event]);
    if (capabilities.refusesRepeatedIds)
      await expect(repeated).rejects.toMatchObject({ failure: { kind: "invalid_event", index: 0 } });
    else expect(await repeated).toMatchObject({ revision: 2 });
  });

  it("16: the same event id may stand in two streams", async () => {
    const events = exampleEvents(2);
    const streams = [freshStream(), freshStream()];
    for (const stream of streams) await store().append(stream, "no_stream", events);
    for (const stream of streams) expect(idsOf(await store().read(stream))).toEqual(idsOf(events));
  });

  it("17: equal is what has equal ids: other data under them changes nothing", async () => {
    const [stream, event] = [freshStream(), exampleEvent({ data: { n: 1 } })];
    const answer = await store().append(stream, "no_stream", [event]);
    expect(await store().append(stream, "no_stream", [{ ...event, data: { n: 2 } }])).toEqual(answer);
    expect(await store().read(stream)).toMatchObject([{ data: { n: 1 } }]);
  });
}
