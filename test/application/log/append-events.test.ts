import { describe, expect, it } from "vitest";
import { appendSurely, type EventOrigin, prepareEvents } from "../../../application/log/append-events.ts";
import type { EventCodec } from "../../../application/ports/event-codec.ts";
import { EventStoreError } from "../../../application/ports/event-store.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { dialingBegan } from "../../projections/example-events.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { movingClock } from "../../support/moving-clock.ts";
import { codec } from "./log-of-calls.ts";
import { ORIGIN } from "./squad-log.ts";

const began = dialingBegan("call_1", "2026-09-01T10:00:00.000Z");
const deps = { codec, ids: systemIds };

describe("the metadata of events", () => {
  const other: EventOrigin = { ...ORIGIN, actor: "process:dialer", causationId: "1" };

  it("are those of their own origin, shared by all that came of it", async () => {
    const made = [
      { events: [began, began, began], origin: ORIGIN },
      { events: [began], origin: other },
    ];
    const [first, second, third, last] = (await prepareEvents(deps, made)).map(({ metadata }) => metadata);
    expect(first).toEqual({ ...ORIGIN, schemaVersion: 1 });
    expect([second === first, third === first]).toEqual([true, true]);
    expect(last).toEqual({ ...other, schemaVersion: 1 });
  });

  it("tell the version of each stored form, where one origin made several", async () => {
    const versions = [1, 2, 2];
    const encode: EventCodec["encode"] = async () =>
      versions.map((schemaVersion) => ({ type: "CallDialingBegan", data: {}, schemaVersion }));
    const made = [{ events: versions.map(() => began), origin: ORIGIN }];
    const events = await prepareEvents({ ...deps, codec: { ...codec, encode } }, made);
    expect(events.map(({ metadata }) => metadata.schemaVersion)).toEqual(versions);
    expect(events[2]?.metadata).toBe(events[1]?.metadata);
  });

  it("name the campaign of a campaign's call, and none otherwise", async () => {
    const made = [
      { events: [began], origin: { ...ORIGIN, campaignId: "cmp_1" } },
      { events: [began], origin: ORIGIN },
    ];
    const [ofCampaign, single] = await prepareEvents(deps, made);
    expect(ofCampaign?.metadata).toEqual({ ...ORIGIN, schemaVersion: 1, campaignId: "cmp_1" });
    expect(single?.metadata).toEqual({ ...ORIGIN, schemaVersion: 1 });
  });
});

describe("an append whose outcome is unknown", () => {
  /** Each try takes so long; how often was it tried, and how long did it take in all? */
  async function triesOf(millisEach: number): Promise<{ tries: number; millis: number }> {
    const moving = movingClock();
    const sleep = async (millis: number) => moving.advance(millis);
    let tries = 0;
    const append = async () => {
      tries += 1;
      moving.advance(millisEach);
      throw new EventStoreError({ kind: "unavailable", cause: "no answer" });
    };
    const log = { ...memoryLog({ clock: moving }).eventStore, append };
    const clock = { ...moving, sleep };
    const trying = appendSurely({ ...deps, clock, eventStore: log }, "call-call_1", "no_stream", []);
    await expect(trying).rejects.toThrow("no answer");
    return { tries, millis: clock.monotonicMillis() };
  }

  it.each([
    { each: 0, tries: 9, millis: 5_920 },
    { each: 4_000, tries: 3, millis: 12_070 },
    { each: 9_999, tries: 2, millis: 20_018 },
    { each: 10_000, tries: 1, millis: 10_000 },
  ])(
    "is given up after $tries tries of $each ms: nobody begins one when 10 s have passed",
    async ({ each, ...expected }) => {
      expect(await triesOf(each)).toEqual(expected);
    },
  );
});
