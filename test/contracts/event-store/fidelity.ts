import { describe, expect, it } from "vitest";
import {
  type EventToAppend,
  MAX_APPEND_BYTES,
  MAX_EVENT_BYTES,
} from "../../../application/ports/event-store.ts";
import type { JsonObject } from "../../../domain/shared/json.ts";
import type { ContractCase } from "./contract-case.ts";
import { exampleEvent, exampleMetadata, freshStream, givenPart, smuggled } from "./example-events.ts";

const TEXTS = {
  cjk: "東京タワー 北京 서울",
  emoji: "👩🏽‍🚀 🇹🇷 ☎️",
  rightToLeft: "שלום עולם — مرحبا \u202Eabc\u202C",
  quotes: '"quoted" \\back\\ {curly} $1 \u2028 \t\n',
  escapes: "\\u0000 \\ud83d \u0001",
  combined: "e\u0301 ≠ é",
};

export function fidelityCases({ store }: ContractCase): void {
  const roundTrip = async (event: EventToAppend, stream = freshStream()): Promise<EventToAppend> => {
    await store().append(stream, "no_stream", [event]);
    const [read] = await store().read(stream);
    if (read === undefined) throw new Error("nothing was read");
    return givenPart(read);
  };

  it("24: every script survives in data, metadata, type and stream name", async () => {
    const { cjk, emoji, rightToLeft } = TEXTS;
    const metadata = { ...exampleMetadata, actor: rightToLeft, correlationId: emoji };
    const event = exampleEvent({
      type: `Example${cjk}`,
      data: { ...TEXTS, [cjk]: { [emoji]: 1 } },
      metadata,
    });
    expect(await roundTrip(event, freshStream(`call-${cjk}-${emoji}`))).toEqual(event);
  });

  const cycle: Record<string, unknown> = {};
  cycle["self"] = { inside: cycle };
  it.each([
    ["\\u0000 in a text", { text: "a\u0000b" }],
    ["\\u0000 in a key", { "a\u0000b": 1 }],
    ["half a character", { text: "\ud83d" }],
    ["a BigInt", { n: 1n }],
    ["a cycle", cycle],
    ["undefined", { list: [1, undefined] }],
    ["NaN", { n: Number.NaN }],
    ["a Date", { at: new Date(0) }],
  ])("25: %s is refused at once", async (_, data) => {
    const stream = freshStream();
    await expect(
      store().append(stream, "no_stream", [exampleEvent({ data: smuggled(data) })]),
    ).rejects.toMatchObject({ failure: { kind: "invalid_event", index: 0 } });
    await expect(store().read(stream)).rejects.toMatchObject({ failure: { kind: "not_found" } });
  });

  it("26: numbers, nulls and the order of keys come back as JSON has them", async () => {
    const data: JsonObject = {
      z: 1e21,
      a: -0,
      big: 2 ** 53,
      tiny: 5e-324,
      deep: { null: null, list: [null, []] },
    };
    const read = await roundTrip(exampleEvent({ data }));
    expect(JSON.stringify(read.data)).toBe(JSON.stringify(data));
  });

  it("27: metadata comes back whole, with correlation and causation", async () => {
    const metadata = { ...exampleMetadata, causationId: "9d0c6a52-6a8f-4d5c-9a53-5f5ad3c7ac11" };
    expect((await roundTrip(exampleEvent({ metadata }))).metadata).toEqual(metadata);
  });

  it("27: events of one append keep their own metadata, shared or not", async () => {
    const [stream, other] = [freshStream(), { ...exampleMetadata, owner: "usr_other" }];
    const events = [exampleMetadata, exampleMetadata, other, exampleMetadata].map((metadata) =>
      exampleEvent({ metadata }),
    );
    await store().append(stream, "no_stream", events);
    expect((await store().read(stream)).map(givenPart)).toEqual(events);
  });

  it("28: an event keeps its id and has the time at which it was written", async () => {
    const [stream, event] = [freshStream(), exampleEvent()];
    await store().append(stream, "no_stream", [event]);
    const [read] = await store().read(stream);
    expect(read?.id).toBe(event.id);
    expect(read?.created).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Math.abs(Date.parse(read?.created ?? "") - Date.now())).toBeLessThan(600_000);
  });

  describe("29: sizes", () => {
    const ofBytes = (bytes: number) => exampleEvent({ data: { text: `ü${"x".repeat(bytes - 13)}` } });

    it("an event of exactly the limit passes, one byte more is TooLarge", async () => {
      expect(await roundTrip(ofBytes(MAX_EVENT_BYTES))).toMatchObject({ type: "Example" });
      await expect(
        store().append(freshStream(), "no_stream", [ofBytes(MAX_EVENT_BYTES + 1)]),
      ).rejects.toMatchObject({
        failure: { kind: "too_large", what: "event", bytes: MAX_EVENT_BYTES + 1, limit: MAX_EVENT_BYTES },
      });
    });

    it("an append of exactly the limit passes, one byte more is TooLarge", async () => {
      const half = MAX_APPEND_BYTES / 2;
      await store().append(freshStream(), "no_stream", [ofBytes(half), ofBytes(half)]);
      const more = [ofBytes(half), ofBytes(half - 20), ofBytes(21)];
      await expect(store().append(freshStream(), "no_stream", more)).rejects.toMatchObject({
        failure: { kind: "too_large", what: "append", bytes: MAX_APPEND_BYTES + 1, limit: MAX_APPEND_BYTES },
      });
    });
  });

  it("30: 10,000 contacts go in as chunks of one stream and come back in their order", async () => {
    const stream = freshStream("campaign");
    const contacts = Array.from({ length: 10_000 }, (_, n) => ({
      phoneNumber: `+1500555${String(n).padStart(4, "0")}`,
      name: `Contact ${n} ${TEXTS.cjk}`,
      customData: { order: `A-${n}`, city: "İzmir", note: "x".repeat(80) },
    }));
    for (let at = 0; at < 10_000; at += 1_000)
      await store().append(stream, at === 0 ? "no_stream" : at / 1_000 - 1, [
        exampleEvent({ type: "ContactsImported", data: { contacts: contacts.slice(at, at + 1_000) } }),
      ]);
    const chunks = await store().read(stream);
    expect(chunks.flatMap(({ data }) => data["contacts"])).toEqual(contacts);
  });
}
