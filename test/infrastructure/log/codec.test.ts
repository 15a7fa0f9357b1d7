import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Decoded, EventCodec } from "../../../application/ports/event-codec.ts";
import { EventStoreError, type StoredEvent } from "../../../application/ports/event-store.ts";
import { SubjectKeyError } from "../../../application/ports/subject-keys.ts";
import type { DomainEvent } from "../../../domain/events.ts";
import type { JsonObject, JsonValue } from "../../../domain/shared/json.ts";
import { createEventCodec } from "../../../infrastructure/log/codec.ts";
import { currentVersion } from "../../../infrastructure/log/stored/stored-type.ts";
import { storedTypes } from "../../../infrastructure/log/stored/stored-types.ts";
import { createMemorySubjectKeys, createTestCodec } from "../../../simulation/memory/subject-keys.ts";

/** The key that the golden files were sealed with. */
const keys = createMemorySubjectKeys();
const sealedGolden = { subject: "call_sealed", owner: "usr_1", key: Buffer.alloc(32, 42), sealed: "" };
const sealedCampaign = { ...sealedGolden, subject: "cmp_sealed" };
keys.remember([sealedGolden, sealedCampaign]);
for (const subject of ["call_1", "call_2"]) keys.remember([keys.draw(subject, "usr_1")]);
const golden = new URL("../../golden/", import.meta.url);
const goldenFiles = readdirSync(golden).filter((name) => name.endsWith(".json"));
const currentVersions = Object.entries(storedTypes).map(([name, type]) => `${name}.v${currentVersion(type)}`);
/** Those with fields that may be absent among them. */
const currentFiles = goldenFiles.filter((name) =>
  currentVersions.includes(name.split(".").slice(0, 2).join(".")),
);
/** Those whose words are not sealed. */
const openFiles = currentFiles.filter((name) => !name.includes(".sealed"));
const ID = "8a3f0d0e-2a8b-4a59-9f0e-0d7a1c1b2a3f";
const goldenForm = z.object({ type: z.string(), schemaVersion: z.int(), data: z.custom<JsonObject>() });

function readGolden(name: string): StoredEvent {
  const { type, schemaVersion, data } = goldenForm.parse(
    JSON.parse(readFileSync(new URL(name, golden), "utf8")),
  );
  return stored(type, data, schemaVersion);
}

function stored(type: string, data: JsonObject, schemaVersion: number): StoredEvent {
  const metadata = {
    correlationId: "c",
    causationId: null,
    actor: "process:test",
    owner: "usr_1",
    schemaVersion,
  };
  const place = {
    stream: "call-1",
    revision: 4,
    position: "9",
    created: "2026-09-01T10:00:00.000Z",
  } as const;
  return { id: ID, type, data, metadata, ...place };
}

async function decoded(codec: EventCodec, event: StoredEvent): Promise<Decoded> {
  const [only] = await codec.decode([event]);
  if (only === undefined) throw new Error("one event, no answer");
  return only;
}

describe("what stands in the log", () => {
  it("has a golden file for every type in every version that was ever written", () => {
    const versions = Object.entries(storedTypes).flatMap(([type, { older }]) =>
      [...older, "current"].map((_, index) => `${type}.v${index + 1}.json`),
    );
    // `<type>.v<version>.<what is in it>.json`: the same version with fields that may be absent.
    const found = new Set(
      goldenFiles.map((name) => name.split(".").toSpliced(2, 1, "json").slice(0, 3).join(".")),
    );
    expect([...found].toSorted()).toEqual(versions.toSorted());
    expect(goldenFiles.length).toBeGreaterThanOrEqual(35);
  });

  it.each(goldenFiles)("%s is read, and written back as the current version", async (name) => {
    const codec = createTestCodec();
    const read = await decoded(createEventCodec(keys), readGolden(name));
    if (read.kind !== "event") throw new Error(JSON.stringify(read));
    const [written] = await codec.encode([{ id: ID, event: read.recorded.event }]);
    if (written === undefined) throw new Error("one event, no stored form");
    const again = await decoded(codec, stored(written.type, written.data, written.schemaVersion));
    expect(again).toMatchObject({ kind: "event", recorded: { event: read.recorded.event } });
  });

  it.each(openFiles)("%s loses nothing when it is read", async (name) => {
    const event = readGolden(name);
    expect(await decoded(createEventCodec(keys), event)).toMatchObject({
      kind: "event",
      recorded: {
        event: { type: event.type, data: event.data },
        stream: "call-1",
        revision: 4,
        position: "9",
      },
    });
  });
});

describe("what this process wrote itself", () => {
  it.each(goldenFiles)("%s: its reader gets what a read of the log would give", async (name) => {
    const all = createMemorySubjectKeys({ drawMissing: true });
    all.remember([sealedGolden, sealedCampaign]);
    const codec = createEventCodec(all);
    const read = await decoded(codec, readGolden(name));
    if (read.kind !== "event") throw new Error(JSON.stringify(read));
    const [written] = await codec.encode([{ id: ID.toUpperCase(), event: read.recorded.event }]);
    if (written === undefined) throw new Error("one event, no stored form");
    const kept = stored(written.type, written.data, written.schemaVersion);
    const fromLog = stored(written.type, JSON.parse(JSON.stringify(written.data)), written.schemaVersion);
    expect(await decoded(codec, kept)).toStrictEqual(await decoded(codec, fromLog));
  });

  it("is neither checked nor decrypted again; anything else is", async () => {
    const { codec, told, written } = await toldByCall3();
    expect(await decoded(codec, written)).toMatchObject({ recorded: { event: { data: told } } });
    const heard = await decoded(codec, written);
    expect(heard.kind === "event" && heard.recorded.event.data).toBe(told);
    const moved = await decoded(codec, { ...written, id: ID.replace("8", "9") });
    expect(moved).toMatchObject({ kind: "damaged" });
    expect((await decoded(codec, { ...written, type: "CallHandedOver" })).kind).toBe("damaged");
    const newer = { ...written, metadata: { ...written.metadata, schemaVersion: 2 } };
    expect((await decoded(codec, newer)).kind).toBe("damaged");
  });

  it("has no texts from the moment of their erasure on, and is damage without its key", async () => {
    const { codec, ring, written } = await toldByCall3();
    ring.erase("call_3");
    const silent = await decoded(codec, written);
    expect(silent).toMatchObject({ recorded: { event: { data: { message: { content: null } } } } });
    expect(JSON.stringify(silent)).not.toContain("spoken");
    ring.lose("call_3");
    expect((await decoded(codec, written)).kind).toBe("damaged");
  });

  it("has no texts that came after an erasure", async () => {
    const { codec, ring, event } = await toldByCall3();
    ring.erase("call_3");
    const [late] = await codec.encode([{ id: ID, event }]);
    if (late === undefined) throw new Error("one event, no stored form");
    const read = await decoded(codec, stored(late.type, late.data, late.schemaVersion));
    expect(read).toMatchObject({ recorded: { event: { data: { message: { content: null } } } } });
  });
});

async function toldByCall3() {
  const ring = createMemorySubjectKeys();
  ring.remember([ring.draw("call_3", "usr_1")]);
  const codec = createEventCodec(ring);
  const read = await decoded(codec, readGolden("CallMessageAdded.v1.json"));
  if (read.kind !== "event" || read.recorded.event.type !== "CallMessageAdded") throw new Error(read.kind);
  const { data } = read.recorded.event;
  const told = { ...data, callId: "call_3" as const, message: { ...data.message, content: "spoken" } };
  const event: DomainEvent = { type: "CallMessageAdded", data: told };
  const [encoded] = await codec.encode([{ id: ID, event }]);
  if (encoded === undefined) throw new Error("one event, no stored form");
  return { ring, codec, event, told, written: stored(encoded.type, encoded.data, encoded.schemaVersion) };
}

/** Values that the sides outside of this service send where other ones belong. */
const HOSTILE = [1e300, 0.5, -1, "", "x", [], {}, [null], { a: 1 }, null, true];

/** The value once more for each of its members and each hostile value: with that one in its place. */
function* damagedForms(value: JsonValue): Generator<JsonValue> {
  yield* HOSTILE;
  if (Array.isArray(value)) {
    for (const [place, item] of value.entries())
      for (const form of damagedForms(item)) yield value.with(place, form);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value))
    for (const form of damagedForms(member)) yield { ...value, [key]: form };
}

describe("what is stored", () => {
  it.each(openFiles)("can be read back, as it was, or is refused: %s", async (name) => {
    const codec = createTestCodec();
    const event = readGolden(name);
    const read = await decoded(createEventCodec(keys), event);
    if (read.kind !== "event") throw new Error(JSON.stringify(read));
    let refused = 0;
    for (const form of damagedForms(event.data)) {
      // The data of an event is an object, and names its subject.
      if (
        typeof form !== "object" ||
        form === null ||
        Array.isArray(form) ||
        !("callId" in form || "at" in form)
      )
        continue;
      const hostile = { ...read.recorded.event, data: form } as unknown as DomainEvent;
      const written = await codec.encode([{ id: ID, event: hostile }]).catch((error: unknown) => {
        const isRefused = error instanceof EventStoreError || error instanceof SubjectKeyError;
        if (!isRefused && !String(error).includes("would be read back otherwise")) throw error;
        if (isRefused) refused += 1;
        return [];
      });
      for (const { type, data, schemaVersion } of written) {
        const again = await decoded(codec, stored(type, data, schemaVersion));
        expect(again, JSON.stringify(form)).toMatchObject({
          kind: "event",
          recorded: { event: { data: form } },
        });
      }
    }
    expect(refused).toBeGreaterThan(0);
  });
});

describe("what cannot be read", () => {
  const codec = createEventCodec(keys);
  const began = { callId: "call_1", at: "2026-09-01T10:00:00.000Z" };

  it("tells a type that this release does not know from damage", async () => {
    expect((await decoded(codec, stored("CallTeleported", began, 1))).kind).toBe("unknown_type");
    expect((await decoded(codec, stored("CallDialingBegan", { callId: "call_1" }, 1))).kind).toBe("damaged");
  });

  it("names what is wrong with a damaged event", async () => {
    const read = await decoded(codec, stored("CallDialingBegan", { ...began, callId: "cmp_1" }, 1));
    expect(read).toMatchObject({ kind: "damaged", problem: expect.stringContaining("callId") });
  });

  it.each([0, 2, 1.5])(
    "calls version %d damaged: deciding without what it holds would be wrong",
    async (version) => {
      const read = await decoded(codec, stored("CallDialingBegan", began, version));
      expect(read).toMatchObject({ kind: "damaged", problem: expect.stringContaining("schemaVersion") });
    },
  );

  it("reads what a later release added to a version it knows, without the addition", async () => {
    const read = await decoded(codec, stored("CallDialingBegan", { ...began, added: 1 }, 1));
    expect(read).toMatchObject({ recorded: { event: { data: began } } });
    expect(read).not.toMatchObject({ recorded: { event: { data: { added: 1 } } } });
  });
});

describe("older versions", () => {
  const codec = createEventCodec(keys, {
    Weighed: {
      schema: z.object({ grams: z.number(), unit: z.literal("g") }),
      older: [
        {
          schema: z.custom<JsonObject>((data) => z.object({ kilos: z.number() }).safeParse(data).success),
          upcast: ({ kilos }) => ({ grams: Number(kilos) * 1_000 }),
        },
        {
          schema: z.custom<JsonObject>((data) => z.object({ grams: z.number() }).safeParse(data).success),
          upcast: (data) => ({ ...data, unit: "g" }),
        },
      ],
    },
  });

  it.each([
    [1, { kilos: 2 }],
    [2, { grams: 2_000 }],
    [3, { grams: 2_000, unit: "g" }],
  ])("version %d is read as the current one", async (version, data) => {
    const read = await decoded(codec, stored("Weighed", data, version));
    expect(read).toMatchObject({ recorded: { event: { data: { grams: 2_000, unit: "g" } } } });
  });

  it("checks an older event against the schema it was written with", async () => {
    const read = await decoded(codec, stored("Weighed", { grams: 1 }, 1));
    expect(read).toMatchObject({ kind: "damaged", problem: expect.stringContaining("version 1") });
  });
});
