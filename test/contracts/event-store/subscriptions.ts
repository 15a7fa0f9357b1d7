import { describe, expect, it } from "vitest";
import {
  type EventStore,
  type Position,
  START,
  type StoredEvent,
} from "../../../application/ports/event-store.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import type { ContractCase } from "./contract-case.ts";
import { exampleEvent, exampleEvents, exampleMetadata, freshStream, idsOf } from "./example-events.ts";
import { followEvents, followToPresent, followUntil, readWholeLog } from "./following.ts";
import { type HarnessCapabilities, promised } from "./harness.ts";

export function subscriptionCases(contract: ContractCase, capabilities: HarnessCapabilities): void {
  const { store, harness } = contract;

  it("33: from catching up to live while somebody writes: no gap, no repeat", async () => {
    await writeOneByOne(store(), 300);
    const following = followEvents(harness().open(), 600);
    await writeOneByOne(store(), 300);
    const events = await readWholeLog(store());
    expect(idsOf(await following)).toEqual(idsOf(events));
    expect(events).toHaveLength(600);
  });

  it("34: a consumer killed at any point resumes: everything at least once, once after dedupe", async () => {
    const writing = writeOneByOne(store(), 250);
    const processed: string[] = [];
    let saved: Position = START;
    for (let run = 0; new Set(processed).size < 250; run += 1) {
      const survives = (run * 7) % 40;
      const processedBefore = processed.length;
      await followUntil(
        harness().open(),
        (events, { position }) => {
          const died = events.length > survives;
          processed.push(
            ...idsOf(events.slice(processed.length - processedBefore, died ? survives : undefined)),
          );
          if (!died) saved = position;
          return died || new Set(processed).size >= 250;
        },
        { after: saved, batchSize: 1 + (run % 9) },
      );
    }
    await writing;
    const all = idsOf(await followToPresent(store()));
    expect([...new Set(processed)]).toEqual(all);
  });

  it("35: a batch's position never lies ahead of what was delivered", async () => {
    await writeOneByOne(store(), 60);
    const batches = await followUntil(store(), (events) => events.length >= 60, { batchSize: 7 });
    const all = batches.flatMap(({ events }) => events);
    for (const [index, { position, events }] of batches.entries()) {
      expect(events.length).toBeLessThanOrEqual(7);
      const rest = batches.slice(index + 1).flatMap((batch) => batch.events);
      expect(idsOf(await followEvents(store(), rest.length, { after: position }))).toEqual(idsOf(rest));
    }
    expect(all).toHaveLength(60);
  });

  describe("36: filters", () => {
    const foreign = { ...exampleMetadata, owner: "usr_other" };
    const wanted = async (): Promise<{ stream: string; events: StoredEvent[] }> => {
      const stream = freshStream("campaign");
      await store().append(stream, "no_stream", [exampleEvent({ type: "Wanted" }), exampleEvent()]);
      await store().append(freshStream("call"), "no_stream", [
        exampleEvent({ type: "Wanted", metadata: foreign }),
      ]);
      return { stream, events: [...(await store().read(stream))] };
    };
    const NOTHING = { types: ["Nothing"] };
    const OTHERS = { type: "Other", metadata: { ...exampleMetadata, owner: "usr_third" } };

    it.each([
      ["streams", (stream: string) => ({ streams: [stream] }), 2],
      ["categories", () => ({ categories: ["campaign", "squad"] }), 2],
      ["an owner", () => ({ owner: exampleMetadata.owner }), 2],
      ["types within a category", () => ({ categories: ["campaign"], types: ["Wanted"] }), 1],
    ])("let through only the events of %s", async (_, filterOf, count) => {
      const { stream, events } = await wanted();
      const filter = filterOf(stream);
      expect(idsOf(await followToPresent(store(), { filter }))).toEqual(idsOf(events.slice(0, count)));
      const read = await readWholeLog(store(), { limit: 10, filter });
      expect(idsOf(read)).toEqual(idsOf(events.slice(0, count)));
    });

    it("let through events of a type only where their metadata name no campaign", async () => {
      const ofCampaign = { ...exampleMetadata, campaignId: "cmp_1" };
      const wanted = exampleEvent({ type: "Single" });
      const other = exampleEvent({ type: "Other", metadata: ofCampaign });
      await store().append(freshStream("call"), "no_stream", [
        exampleEvent({ type: "Single", metadata: ofCampaign }),
        ...[wanted, other],
      ]);
      const filter = { types: ["Single", "Other"], outsideOfCampaigns: ["Single"] };
      const read = await readWholeLog(store(), { limit: 10, filter });
      expect(idsOf(read)).toEqual(idsOf([wanted, other]));
      expect(idsOf(await followToPresent(store(), { filter }))).toEqual(idsOf([wanted, other]));
    });

    it("other traffic still moves the position, live as well", async () => {
      const { events } = await wanted();
      const filter = { categories: ["campaign"] };
      let end: Position | undefined;
      const following = followUntil(
        harness().open(),
        (_, { position }) => end !== undefined && store().comparePositions(position, end) >= 0,
        { filter },
      );
      for (let n = 0; n < 10; n += 1)
        ({ position: end } = await store().append(
          freshStream("call"),
          "no_stream",
          Array.from({ length: 20 }, () => exampleEvent(OTHERS)),
        ));
      // The last append may be seen before its answer is: one more makes the subscription look again.
      await store().append(freshStream("call"), "no_stream", [exampleEvent(OTHERS)]);
      expect(idsOf((await following).flatMap((batch) => batch.events))).toEqual(idsOf(events));
    });

    it("a page of the log moves over what the filter leaves out", async () => {
      const { events } = await wanted();
      let page = await store().readAll({ after: START, limit: 10, filter: NOTHING });
      while (!page.atEnd) page = await store().readAll({ after: page.next, limit: 10, filter: NOTHING });
      expect(page).toEqual({ events: [], next: expect.any(String), atEnd: true });
      expect(store().comparePositions(page.next, events.at(-1)?.position ?? START)).toBeGreaterThan(0);
    });
  });

  it("37: a slow consumer gets bounded batches and everything in the end; others do not wait for it", async () => {
    await writeOneByOne(store(), 40, 50);
    const stop = new AbortController();
    const slow = harness()
      .open()
      .subscribe({ after: START, signal: stop.signal, batchSize: 50 })
      [Symbol.asyncIterator]();
    const first = await slow.next();
    expect(await followEvents(harness().open(), 2_000)).toHaveLength(2_000);
    await writeOneByOne(store(), 10, 50);
    const slowly = first.done === true ? [] : [...first.value.events];
    while (slowly.length < 2_500) {
      const { value, done } = await slow.next();
      if (done === true) break;
      expect(value.events.length).toBeLessThanOrEqual(50);
      slowly.push(...value.events);
    }
    stop.abort();
    await slow.return?.();
    expect(idsOf(slowly)).toEqual(idsOf(await followToPresent(store())));
  });

  if (capabilities.restart)
    it("38: a restart of the database in mid-subscription: appends are Unavailable meanwhile, everything goes on", async () => {
      const database = promised(harness().database);
      const following = followEvents(harness().open(), 21);
      await writeOneByOne(store(), 10);
      await database.stop();
      const [stream, events] = [freshStream(), exampleEvents(1)];
      await expect(store().append(stream, "no_stream", events)).rejects.toMatchObject({
        failure: { kind: "unavailable" },
      });
      await expect(store().ping()).rejects.toMatchObject({ failure: { kind: "unavailable" } });
      await database.start();
      await eventually("the append to succeed", () =>
        store()
          .append(stream, "no_stream", events)
          .catch(() => null),
      );
      await writeOneByOne(store(), 10);
      expect(idsOf(await following)).toEqual(idsOf(await followToPresent(store())));
    }, 60_000);
}

/** Appends one after another, each to a stream of its own. */
async function writeOneByOne(store: EventStore, appends: number, eventsEach = 1): Promise<void> {
  for (let n = 0; n < appends; n += 1)
    await store.append(freshStream(), "no_stream", exampleEvents(eventsEach, n));
}
