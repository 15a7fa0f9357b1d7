import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Decoded, EventCodec } from "../../../application/ports/event-codec.ts";
import type { StoredEvent } from "../../../application/ports/event-store.ts";
import { SubjectKeyError } from "../../../application/ports/subject-keys.ts";
import type { CallMessage } from "../../../domain/call/conversation-events.ts";
import type { DomainEvent } from "../../../domain/events.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { createEventCodec } from "../../../infrastructure/log/codec.ts";
import { createMemorySubjectKeys } from "../../../simulation/memory/subject-keys.ts";

const AT = "2026-11-20T10:00:00.000Z";
const CALL: CallId = "call_1";
const SECRET = "my name is Ayşe 🌷";

const keys = createMemorySubjectKeys();
for (const subject of [CALL, "call_2"]) keys.remember([keys.draw(subject, "usr_1")]);
const codec = createEventCodec(keys);

function said(content: string | null, more: Partial<CallMessage> = {}, callId = CALL): DomainEvent {
  const message: CallMessage = {
    index: 0,
    role: "customer",
    assistantId: null,
    content,
    at: AT,
    offsetMs: 1,
    ...more,
  };
  return { type: "CallMessageAdded", data: { callId, message, carrierRef: null, sequence: null, at: AT } };
}

async function storedBy(by: EventCodec, event: DomainEvent): Promise<StoredEvent> {
  const id = systemIds.uuid();
  const [encoded] = await by.encode([{ id, event }]);
  if (encoded === undefined) throw new Error("no stored form");
  const { type, data, schemaVersion } = encoded;
  const metadata = {
    correlationId: "c",
    causationId: null,
    actor: "process:test",
    owner: "usr_1",
    schemaVersion,
  };
  return { id, type, data, metadata, stream: "call-1", revision: 0, position: "1", created: AT };
}

async function read(by: EventCodec, stored: StoredEvent): Promise<Decoded> {
  const [decoded] = await by.decode([stored]);
  if (decoded === undefined) throw new Error("no answer");
  return decoded;
}

function sealedOf({ data }: StoredEvent): string {
  const { sealed } = data;
  if (typeof sealed !== "string") throw new Error("nothing is sealed");
  return sealed;
}

const words = fc.option(fc.string({ unit: "grapheme" }));
const json = fc.jsonValue({ maxDepth: 2 });

describe("words in the log", () => {
  it("come back as they were said, and are nowhere in what is stored", async () => {
    const event = said(SECRET, { arguments: { order: "secret-4711" }, result: ["secret-12"] });
    const stored = await storedBy(codec, event);
    expect(await read(codec, stored)).toMatchObject({ kind: "event", recorded: { event } });
    expect(JSON.stringify(stored)).not.toMatch(/secret|Ayşe/);
    expect(stored.data["message"]).not.toHaveProperty("arguments");
    expect(stored.data["message"]).toMatchObject({ content: null, offsetMs: 1 });
  });

  it("come back whatever they are", async () => {
    await fc.assert(
      fc.asyncProperty(words, json, async (content, result) => {
        const event = said(content, { result: JSON.parse(JSON.stringify(result)) });
        expect(await read(codec, await storedBy(codec, event))).toMatchObject({
          kind: "event",
          recorded: { event },
        });
      }),
      { numRuns: 200 },
    );
  });

  it("are damage with any bit changed, or with their end cut off", async () => {
    const stored = await storedBy(codec, said(SECRET));
    const bytes = Buffer.from(sealedOf(stored), "base64");
    const withSealed = (sealed: string) => ({ ...stored, data: { ...stored.data, sealed } });
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const forged = Buffer.from(bytes);
      forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect((await read(codec, withSealed(forged.toString("base64")))).kind).toBe("damaged");
    }
    for (let length = 0; length < bytes.length; length += 1) {
      const cut = bytes.subarray(0, length).toString("base64");
      expect((await read(codec, withSealed(cut))).kind).toBe("damaged");
    }
    expect((await read(codec, withSealed(`${sealedOf(stored)}\n`))).kind).toBe("damaged");
    for (const foreign of ["\n", "-", "_", "=", "é"])
      for (let place = 0; place <= sealedOf(stored).length; place += 1) {
        const inserted = sealedOf(stored).slice(0, place) + foreign + sealedOf(stored).slice(place);
        expect((await read(codec, withSealed(inserted))).kind).toBe("damaged");
      }
    const long = await storedBy(codec, said(SECRET.repeat(100)));
    const urlSafe = sealedOf(long).replaceAll("+", "-").replaceAll("/", "_");
    const otherwise = { ...long, data: { ...long.data, sealed: urlSafe } };
    expect([(await read(codec, long)).kind, (await read(codec, otherwise)).kind]).toEqual([
      "event",
      "damaged",
    ]);
    expect((await read(codec, { ...stored, data: { ...stored.data, sealed: 7 } })).kind).toBe("damaged");
  });

  it("are damage in another event, under another type, or in another call", async () => {
    const one = await storedBy(codec, said("one"));
    const other = await storedBy(codec, said("other"));
    const ofAnother = await storedBy(codec, said("third", {}, "call_2"));
    for (const donor of [other, ofAnother]) {
      const swapped = { ...one, data: { ...one.data, sealed: sealedOf(donor) } };
      expect(await read(codec, swapped)).toMatchObject({
        kind: "damaged",
        problem: "the sealed words of call_1 do not open",
      });
    }
    const moved = { ...one, data: { ...one.data, callId: "call_2" } };
    expect((await read(codec, moved)).kind).toBe("damaged");
    expect((await read(codec, { ...one, type: "CallRequested" })).kind).toBe("damaged");
  });

  it("ask nobody for a key where nothing is said", async () => {
    const deaf = createEventCodec({
      of: () => Promise.reject(new Error("was asked")),
    });
    const began: DomainEvent = { type: "CallDialingBegan", data: { callId: CALL, at: AT } };
    for (const event of [began, said(null)])
      expect((await read(deaf, await storedBy(deaf, event))).kind).toBe("event");
  });

  it("refuses words that no log takes, as the log itself does", async () => {
    for (const text of ["a\u0000b", "half \ud83c"]) {
      const encoding = codec.encode([{ id: systemIds.uuid(), event: said(text) }]);
      await expect(encoding).rejects.toMatchObject({ failure: { kind: "invalid_event", index: 0 } });
    }
  });
});

describe("a call without its key", () => {
  it("is damage that is named, and nothing is written for it", async () => {
    const stored = await storedBy(codec, said(SECRET));
    const lost = createEventCodec(createMemorySubjectKeys());
    expect(await read(lost, stored)).toMatchObject({ kind: "damaged", problem: "no key of call_1" });
    const encoding = lost.encode([{ id: systemIds.uuid(), event: said(SECRET) }]);
    await expect(encoding).rejects.toThrow(SubjectKeyError);
  });

  it("is damage too when the key is another", async () => {
    const stored = await storedBy(codec, said(SECRET));
    const other = createMemorySubjectKeys();
    other.remember([other.draw(CALL, "usr_1")]);
    expect((await read(createEventCodec(other), stored)).kind).toBe("damaged");
    const unusable = createEventCodec({ of: async () => new Map([[CALL, { kind: "unusable" }]]) });
    expect(await read(unusable, stored)).toMatchObject({ problem: expect.stringContaining("SECRETS_KEY") });
  });

  it("shows the public form of such an event without its words", async () => {
    const stored = await storedBy(codec, said(SECRET, { result: 1 }));
    const [shown] = await createEventCodec(createMemorySubjectKeys()).withWords([stored]);
    expect(shown?.data).not.toHaveProperty("sealed");
    expect(shown?.data["message"]).toMatchObject({ content: null });
    const [open] = await codec.withWords([stored]);
    expect(open?.data).toEqual(said(SECRET, { result: 1 }).data);
  });
});

describe("an erased call", () => {
  const erasing = createMemorySubjectKeys({ drawMissing: true });
  const erased = createEventCodec(erasing);

  it("has said nothing, as it is now and as it was before, and nothing is kept of what comes later", async () => {
    const event = said(SECRET, { arguments: { a: SECRET } });
    const stored = await storedBy(erased, event);
    erasing.erase(CALL);
    const silent = said(null);
    expect(await read(erased, stored)).toMatchObject({ kind: "event", recorded: { event: silent } });
    const open: StoredEvent = { ...stored, data: codec.asJson(event).data };
    const readBefore = await read(erased, open);
    expect(readBefore).toMatchObject({ kind: "event", recorded: { event: silent } });
    expect(JSON.stringify(readBefore)).not.toContain("Ayşe");
    const later = await storedBy(erased, event);
    expect(later.data).toEqual(silent.data);
  });
});

it("writes no word beside the ciphertext, whatever the type", async () => {
  const golden = (name: string) =>
    JSON.parse(readFileSync(new URL(`../../golden/${name}.json`, import.meta.url), "utf8"));
  const { type, data } = golden("CallRequested.v1");
  const consent = { source: SECRET, at: AT, reference: SECRET };
  const told = { ...data, callId: CALL, voicemailMessage: SECRET, specialInstructions: SECRET, consent };
  const stored = await storedBy(codec, { type, data: { ...told, greetingMessage: SECRET } });
  expect(JSON.stringify(stored.data)).not.toContain(SECRET);
  expect(codec.withoutWords({ type, data: { ...told, greetingMessage: SECRET } }).data).toEqual({
    ...told,
    greetingMessage: null,
    specialInstructions: null,
    voicemailMessage: null,
    consent: { source: null, at: AT },
  });
});

describe("the contacts of a campaign", () => {
  const CAMPAIGN = "cmp_1";
  const contact = {
    contactId: "ctc_1",
    phoneNumber: "+905321234567",
    name: SECRET,
    customData: { order: SECRET },
    timezone: null,
    externalId: SECRET,
  } as const;
  const chunk: DomainEvent = {
    type: "ContactsImported",
    data: { campaignId: CAMPAIGN, importId: "imp_1", firstIndex: 0, contacts: [contact], at: AT },
  };
  const seal: DomainEvent = {
    type: "ContactsAdded",
    data: {
      ...{ campaignId: CAMPAIGN, importId: "imp_1", added: 1, at: AT },
      rejected: { count: 1, items: [{ index: 1, phoneNumber: "0532 765 43 21", reason: "not_e164" }] },
    },
  };
  const none: DomainEvent = { ...chunk, data: { ...chunk.data, contacts: [] } };
  const world = () => {
    const keys = createMemorySubjectKeys();
    keys.remember([keys.draw(CAMPAIGN, "usr_1")]);
    return { keys, codec: createEventCodec(keys) };
  };

  it("and its rejected rows are sealed with its key, and come back whole", async () => {
    const { codec } = world();
    for (const event of [chunk, seal]) {
      const stored = await storedBy(codec, event);
      expect(JSON.stringify(stored.data)).not.toMatch(/Ayşe|ctc_1|532/);
      expect(await read(codec, stored)).toMatchObject({ kind: "event", recorded: { event } });
      expect(JSON.stringify(codec.withoutWords(event))).not.toMatch(/Ayşe|532/);
    }
    expect((await storedBy(codec, seal)).data["rejected"]).toEqual({ count: 1, items: [] });
  });

  it("are none when its key is erased, also those that an older release stored in plain text", async () => {
    const { keys, codec } = world();
    const sealed = await storedBy(codec, chunk);
    const plain = { ...sealed, data: codec.asJson(chunk).data };
    expect(await read(codec, plain)).toMatchObject({ kind: "event", recorded: { event: chunk } });
    keys.erase(CAMPAIGN);
    for (const stored of [sealed, plain])
      expect(await read(codec, stored)).toMatchObject({ kind: "event", recorded: { event: none } });
    expect((await storedBy(codec, chunk)).data).toEqual(none.data);
  });

  it("are damage when its key is missing; plain ones are read as they are", async () => {
    const { keys, codec } = world();
    const sealed = await storedBy(codec, chunk);
    keys.lose(CAMPAIGN);
    expect(await read(codec, sealed)).toMatchObject({ kind: "damaged", problem: `no key of ${CAMPAIGN}` });
    const plain = { ...sealed, data: codec.asJson(chunk).data };
    expect(await read(codec, plain)).toMatchObject({ kind: "event", recorded: { event: chunk } });
    await expect(storedBy(codec, chunk)).rejects.toThrow(SubjectKeyError);
  });
});
