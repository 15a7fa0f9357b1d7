import { expect, it } from "vitest";
import { isEventStoreFailure } from "../../../application/ports/event-store.ts";
import type { ContractCase } from "./contract-case.ts";
import { exampleEvent, exampleEvents, freshStream, idsOf, smuggled } from "./example-events.ts";

export function appendingCases({ store, harness }: ContractCase): void {
  it("1: no_stream on a new stream writes revision 0", async () => {
    const result = await store().append(freshStream(), "no_stream", exampleEvents(1));
    expect(result).toEqual({ revision: 0, position: expect.any(String) });
  });

  it("2: no_stream on an existing stream is a Conflict that names the actual revision", async () => {
    const stream = freshStream();
    await store().append(stream, "no_stream", exampleEvents(2));
    await expect(store().append(stream, "no_stream", exampleEvents(1))).rejects.toMatchObject({
      failure: { kind: "conflict", stream, expected: "no_stream", actual: 1 },
    });
  });

  it("3: an exact revision writes on, contiguously", async () => {
    const stream = freshStream();
    await store().append(stream, "no_stream", exampleEvents(2));
    expect(await store().append(stream, 1, exampleEvents(3, 2))).toMatchObject({ revision: 4 });
    expect((await store().read(stream)).map(({ revision, data }) => [revision, data["n"]])).toEqual(
      [0, 1, 2, 3, 4].map((n) => [n, n]),
    );
  });

  it.each([
    ["4: too low", 0],
    ["5: too high", 7],
  ])("%s a revision is a Conflict with both revisions", async (_, expected) => {
    const stream = freshStream();
    await store().append(stream, "no_stream", exampleEvents(3));
    await expect(store().append(stream, expected, exampleEvents(1))).rejects.toMatchObject({
      failure: { kind: "conflict", stream, expected, actual: 2 },
    });
  });

  it("6: an exact revision on a missing stream is a Conflict with no_stream", async () => {
    const stream = freshStream();
    await expect(store().append(stream, 3, exampleEvents(1))).rejects.toMatchObject({
      failure: { kind: "conflict", stream, expected: 3, actual: "no_stream" },
    });
  });

  it("9: several events are written together: no reader sees a part of them", async () => {
    const stream = freshStream();
    const seen = new Set<number>();
    await store().append(stream, "no_stream", exampleEvents(10));
    const writing = (async () => {
      for (let n = 10; n < 200; n += 10) await store().append(stream, n - 1, exampleEvents(10, n));
    })();
    const reader = harness().open();
    for (let length = 0; length < 200; seen.add(length)) length = (await reader.read(stream)).length;
    await writing;
    expect([...seen].filter((length) => length % 10 !== 0)).toEqual([]);
  });

  it("9: one event that cannot be stored keeps the others from being written", async () => {
    const stream = freshStream();
    const bad = exampleEvent({ data: smuggled({ n: Number.NaN }) });
    await expect(store().append(stream, "no_stream", [...exampleEvents(2), bad])).rejects.toMatchObject({
      failure: { kind: "invalid_event", index: 2 },
    });
    await expect(store().read(stream)).rejects.toMatchObject({ failure: { kind: "not_found" } });
  });

  it("10: of two concurrent appends at one revision exactly one wins, a hundred times", async () => {
    const stream = freshStream();
    const stores = [store(), harness().open()];
    await store().append(stream, "no_stream", exampleEvents(1));
    for (let revision = 0; revision < 100; revision += 1) {
      const settled = await Promise.allSettled(
        stores.map((each) => each.append(stream, revision, exampleEvents(1))),
      );
      const refusals = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
      expect(refusals.map((reason) => isEventStoreFailure(reason, "conflict"))).toEqual([true]);
    }
    expect(await store().read(stream)).toHaveLength(101);
  });

  it("11: 50 writers on 50 streams: everything is there, each in its own stream", async () => {
    const streams = Array.from({ length: 50 }, () => freshStream());
    const written = await Promise.all(
      streams.map(async (stream, writer) => {
        const events = exampleEvents(8, writer * 100);
        for (let at = 0; at < 8; at += 2)
          await store().append(stream, at === 0 ? "no_stream" : at - 1, events.slice(at, at + 2));
        return idsOf(events);
      }),
    );
    const read = await Promise.all(streams.map((stream) => store().read(stream)));
    expect(read.map(idsOf)).toEqual(written);
  });

  it("12: an append of nothing, without a stream name, or of an event without a type is refused", async () => {
    const settled = await Promise.allSettled([
      store().append(freshStream(), "no_stream", []),
      store().append("", "no_stream", exampleEvents(1)),
      store().append(freshStream(), "no_stream", [exampleEvent({ type: "" })]),
    ]);
    expect(settled).toMatchObject(
      Array.from({ length: 3 }, () => ({ reason: { failure: { kind: "invalid_event" } } })),
    );
  });
}
