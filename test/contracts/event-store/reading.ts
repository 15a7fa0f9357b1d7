import { expect, it } from "vitest";
import { START } from "../../../application/ports/event-store.ts";
import type { ContractCase } from "./contract-case.ts";
import { exampleEvents, freshStream } from "./example-events.ts";
import { followUntil } from "./following.ts";

export function readingCases({ store, harness }: ContractCase): void {
  const tenEvents = async (): Promise<string> => {
    const stream = freshStream();
    await store().append(stream, "no_stream", exampleEvents(10));
    return stream;
  };
  const revisions = async (stream: string, options: Parameters<ReturnType<typeof store>["read"]>[1] = {}) =>
    (await store().read(stream, options)).map(({ revision }) => revision);

  it("18: forward from the start, from the middle, and no more than asked for", async () => {
    const stream = await tenEvents();
    expect(await revisions(stream)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(await revisions(stream, { from: 7 })).toEqual([7, 8, 9]);
    expect(await revisions(stream, { from: 4, max: 2 })).toEqual([4, 5]);
  });

  it("19: backward, from the end or from the middle; one is the last", async () => {
    const stream = await tenEvents();
    expect(await revisions(stream, { direction: "backward", max: 1 })).toEqual([9]);
    expect(await revisions(stream, { direction: "backward", from: 2 })).toEqual([2, 1, 0]);
    expect(await revisions(stream, { direction: "backward", from: 2, max: 2 })).toEqual([2, 1]);
  });

  it("20: beyond the end there is nothing", async () => {
    expect(await revisions(await tenEvents(), { from: 10 })).toEqual([]);
    expect(await revisions(await tenEvents(), { from: 500 })).toEqual([]);
  });

  it("21: a missing stream is NotFound, forward and backward", async () => {
    const failure = { kind: "not_found", stream: "call-missing" };
    await expect(store().read("call-missing")).rejects.toMatchObject({ failure });
    await expect(store().read("call-missing", { direction: "backward", max: 1 })).rejects.toMatchObject({
      failure,
    });
  });

  it("22: 5,000 events are read in pages, none larger than asked for", async () => {
    const stream = freshStream();
    for (let at = 0; at < 5_000; at += 500)
      await store().append(stream, at === 0 ? "no_stream" : at - 1, exampleEvents(500, at));
    const read: unknown[] = [];
    for (let page = [Number.NaN]; page.length > 0; read.push(...page)) {
      page = (await store().read(stream, { from: read.length, max: 499 })).map(({ data }) =>
        Number(data["n"]),
      );
      expect(page.length).toBeLessThanOrEqual(499);
    }
    expect(read).toEqual(Array.from({ length: 5_000 }, (_, n) => n));
  });

  it("22: the whole log is read in pages as well", async () => {
    await tenEvents();
    await tenEvents();
    const lengths: number[] = [];
    for (let page = { next: START, atEnd: false }; !page.atEnd; ) {
      const read = await store().readAll({ after: page.next, limit: 8 });
      lengths.push(read.events.length);
      page = read;
    }
    expect(Math.max(...lengths)).toBeLessThanOrEqual(8);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(20);
  });

  it("22: the log is read backward in pages, and between two positions from either end", async () => {
    const [one, other] = [await tenEvents(), await tenEvents()];
    const all = (await store().readAll({ after: START, limit: 100 })).events;
    const positions = all.map(({ position }) => position);
    const read = async (options: {
      after?: string;
      before?: string;
      backward?: boolean;
      streams?: string[];
    }) => {
      const { streams, ...range } = options;
      const found: string[] = [];
      let place = range;
      for (let page = { atEnd: false }; !page.atEnd; ) {
        const filter = streams === undefined ? {} : { filter: { streams } };
        const next = await store().readAll({ after: START, limit: 3, ...place, ...filter });
        found.push(...next.events.map(({ position }) => position));
        place = range.backward === true ? { ...range, before: next.next } : { ...range, after: next.next };
        page = next;
      }
      return found;
    };
    expect(await read({ backward: true })).toEqual(positions.toReversed());
    const between = { after: positions[4] ?? "", before: positions[15] ?? "" };
    expect(await read(between)).toEqual(positions.slice(5, 15));
    expect(await read({ ...between, backward: true })).toEqual(positions.slice(5, 15).toReversed());
    const ofOther = all.filter(({ stream }) => stream === other).map(({ position }) => position);
    expect(await read({ backward: true, streams: [other] })).toEqual(ofOther.toReversed());
    expect(one).not.toBe(other);
    expect(await read({ before: positions[0] ?? "", backward: true })).toEqual([]);
  });

  it("a campaign is found by its stream and by the metadata of its calls", async () => {
    const ofCall = exampleEvents(2).map((event) => ({
      ...event,
      metadata: { ...event.metadata, campaignId: "cmp_1" },
    }));
    await store().append("call-of-it", "no_stream", ofCall);
    await store().append("campaign-cmp_1", "no_stream", exampleEvents(1));
    await store().append("campaign-cmp_2", "no_stream", exampleEvents(1));
    for (const backward of [false, true]) {
      const filter = { campaignId: "cmp_1", owner: ofCall[0]?.metadata.owner ?? "" };
      const { events } = await store().readAll({ after: START, limit: 10, backward, filter });
      const streams = events.map(({ stream }) => stream);
      expect(backward ? streams.toReversed() : streams).toEqual([
        "call-of-it",
        "call-of-it",
        "campaign-cmp_1",
      ]);
    }
  });

  it("23: what is aborted ends at once, and leaves nothing that keeps the store from closing", async () => {
    const stream = await tenEvents();
    const stop = new AbortController();
    const following = followUntil(store(), () => false, { signal: stop.signal });
    const other = harness().open();
    const caughtUp = followUntil(other, (_, { caughtUp }) => caughtUp);
    await caughtUp;
    stop.abort();
    expect((await following).flatMap(({ events }) => events).length).toBeLessThanOrEqual(10);
    await expect(store().read(stream, { signal: stop.signal })).rejects.toMatchObject({
      failure: { kind: "unavailable" },
    });
    await store().close();
  });

  it("head is the position of the last event", async () => {
    expect(await store().head()).toBe(START);
    const stream = await tenEvents();
    const [last] = await store().read(stream, { direction: "backward", max: 1 });
    expect(await store().head()).toBe(last?.position);
  });

  it("a store that is closed answers Unavailable", async () => {
    await store().close();
    await expect(store().append(freshStream(), "no_stream", exampleEvents(1))).rejects.toMatchObject({
      failure: { kind: "unavailable" },
    });
    await expect(store().ping()).rejects.toMatchObject({ failure: { kind: "unavailable" } });
  });
}
