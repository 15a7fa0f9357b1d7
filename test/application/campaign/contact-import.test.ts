import { beforeEach, describe, expect, it } from "vitest";
import type { CreateCampaignRequest } from "../../../application/campaign/create-campaign.ts";
import type { ContactInput } from "../../../application/campaign/screen-contacts.ts";
import { type EventStore, EventStoreError } from "../../../application/ports/event-store.ts";
import { plusMillis } from "../../../domain/shared/instant.ts";
import {
  CALLER,
  engineProcess,
  openEvents,
  pass,
  type Stores,
  sharedStores,
  typesOf,
  until,
} from "../engine-world.ts";
import { campaignRequest, exampleContacts } from "../example-request.ts";

const STREAM = "campaign-cmp_1";
let stores: Stores;
let append: (store: EventStore) => EventStore["append"];
let useCases: ReturnType<typeof engineProcess>["useCases"];
beforeEach(() => {
  stores = sharedStores();
  append = (store) => store.append;
  const wrapStore = (store: EventStore): EventStore => ({
    ...store,
    append: (...asked) => append(store)(...asked),
  });
  ({ useCases } = engineProcess(stores, { works: false, wrapStore }));
});

const create = (changes: Partial<CreateCampaignRequest>) =>
  useCases.createCampaign(CALLER, campaignRequest(0, changes));
const chunks = () =>
  openEvents(stores, STREAM).flatMap(({ type, data }) => {
    const { firstIndex, contacts } = data;
    return type === "ContactsImported" && Array.isArray(contacts) ? [[firstIndex, contacts.length]] : [];
  });
const unsealed = () => stores.imports.unsealedSince(plusMillis(stores.clock.now(), 1), 10);

describe("the contacts of an import", () => {
  it("are stored in chunks of 250 KiB in UTF-8, each with its place", async () => {
    const contacts = exampleContacts(6, { text: "x".repeat(80_000) });
    await until(stores, create({ contacts }));
    expect(chunks()).toEqual([
      [0, 3],
      [3, 3],
    ]);
  });

  it("have the time of their seal, which the campaign was created at", async () => {
    const { clock } = stores;
    let stored = 0;
    append = (store) => async (stream, expected, events) => {
      stored += 1;
      await clock.sleep(1_000);
      return store.append(stream, expected, events);
    };
    const began = clock.now();
    await until(stores, create({ contacts: exampleContacts(6, { text: "x".repeat(200_000) }) }));
    expect(stored).toBeGreaterThan(2);
    expect(new Set(openEvents(stores, STREAM).map(({ data }) => data["at"]))).toEqual(new Set([began]));
  });

  it("count by bytes, not by letters", async () => {
    const contacts = exampleContacts(4, { text: "€".repeat(40_000) });
    await until(stores, create({ contacts }));
    expect(chunks()).toEqual([
      [0, 2],
      [2, 2],
    ]);
  });

  it("have a chunk of their own each where two are too large for one, and no chunk is empty", async () => {
    const contacts = exampleContacts(2, { text: "x".repeat(200_000) });
    await until(stores, create({ contacts }));
    expect(chunks()).toEqual([
      [0, 1],
      [1, 1],
    ]);
  });

  it("are made no further than three chunks ahead of the one that is being stored", async () => {
    const contacts = exampleContacts(9, { text: "x".repeat(200_000) });
    const walks: number[] = [];
    const watched: Iterable<ContactInput> = {
      *[Symbol.iterator]() {
        const walk = walks.push(0) - 1;
        for (const contact of contacts) {
          walks[walk] = (walks[walk] ?? 0) + 1;
          yield contact;
        }
      },
    };
    const gate = Promise.withResolvers<void>();
    append =
      (store) =>
      async (...asked) => {
        await gate.promise;
        return store.append(...asked);
      };
    const creating = create({ contacts: watched });
    await pass(stores, 100);
    // The fourth ends the third chunk.
    expect(walks.at(-1)).toBe(4);
    gate.resolve();
    await until(stores, creating);
    expect([walks.at(-1), chunks().length]).toEqual([9, 9]);
  });

  it("have a row from before the first chunk until they are sealed", async () => {
    const gate = Promise.withResolvers<void>();
    append =
      (store) =>
      async (...asked) => {
        await gate.promise;
        return store.append(...asked);
      };
    const creating = create({ contacts: exampleContacts(1) });
    await pass(stores, 100);
    expect([typesOf(stores, STREAM), await unsealed()]).toMatchObject([
      [],
      [{ importId: "imp_1", campaignId: "cmp_1" }],
    ]);
    gate.resolve();
    await until(stores, creating);
    expect(await unsealed()).toEqual([]);
  });

  it("keep their row, and are not sealed, when one chunk cannot be stored", async () => {
    append = (store) => async (stream, expected, events) => {
      if (typesOf(stores, STREAM).length > 0)
        throw new EventStoreError({ kind: "too_large", what: "event", bytes: 2, limit: 1 });
      return store.append(stream, expected, events);
    };
    const creating = create({ contacts: exampleContacts(3, { text: "x".repeat(200_000) }) });
    await expect(until(stores, creating)).rejects.toThrow("too_large");
    expect(typesOf(stores, STREAM)).toEqual(["ContactsImported"]);
    expect(await unsealed()).toHaveLength(1);
  });
});

describe("a new campaign", () => {
  it("holds 10,000 contacts; a file with one more is refused, and nothing is stored", async () => {
    const numbers = Array.from({ length: 10_001 }, (_, n) => `+1202${String(5_550_000 + n)}`);
    const contacts = exampleContacts(numbers);
    expect(await until(stores, create({ contacts }))).toEqual({
      ok: false,
      refusal: {
        code: "VALIDATION_ERROR",
        message: "The file has 1 problem; see details",
        details: [{ path: ["file"], message: "Holds more than 10,000 contacts" }],
      },
    });
    expect(stores.database.events).toEqual([]);
  });

  it("that another process has just made is found, and nothing is made again", async () => {
    const other = engineProcess(stores, { processId: "two", works: false }).useCases;
    await until(
      stores,
      create({ contacts: exampleContacts(1) }).then(() => null),
    );
    const again = await until(
      stores,
      other.createCampaign(CALLER, campaignRequest(1, { phoneNumberId: "pn_gone" })),
    );
    expect(again).toMatchObject({ ok: true, value: { campaignId: "cmp_1", totalContacts: 1 } });
    expect(typesOf(stores, STREAM)).toEqual(["ContactsImported", "CampaignCreated"]);
  });

  it("has an id of its own without a reserved one, keeps its time only where it has one, and its own zone", async () => {
    const contacts = exampleContacts(1);
    const made = await until(stores, create({ contacts, reservedCampaignId: null, timezone: undefined }));
    const id = made.ok ? made.value.campaignId : "";
    expect(id).toMatch(/^cmp_.+/);
    const settings = openEvents(stores, `campaign-${id}`).at(-1)?.data["settings"];
    expect(settings).toMatchObject({ timezone: "Europe/Istanbul" });
    expect(settings).not.toHaveProperty("startAt");
    const startAt = plusMillis(stores.clock.now(), 3_600_000);
    await until(stores, create({ contacts, startAt, timezone: "Asia/Tokyo" }));
    const own = openEvents(stores, STREAM).at(-1)?.data;
    expect([own?.["settings"], own?.["defaulted"]]).toMatchObject([
      { startAt, timezone: "Asia/Tokyo" },
      ["retryOn"],
    ]);
    const message = expect.stringMatching(/./);
    expect(
      await until(
        stores,
        create({ contacts, reservedCampaignId: "cmp_9", startAt: "2020-01-01T00:00:00.000Z" }),
      ),
    ).toMatchObject({
      refusal: {
        code: "VALIDATION_ERROR",
        message: "The campaign cannot start by itself then",
        details: [{ path: ["startAt"], message }],
      },
    });
  });

  it("none of whose contacts can be called is refused, also when its line is missing; else the line is named", async () => {
    const unknown = { phoneNumberId: "pn_gone" };
    expect(await until(stores, create({ contacts: exampleContacts(["0532"]), ...unknown }))).toMatchObject({
      refusal: { message: "None of the contacts can be called", details: [{ path: ["contacts"] }] },
    });
    expect(await until(stores, create({ contacts: exampleContacts(1), ...unknown }))).toMatchObject({
      refusal: { code: "PHONE_NUMBER_NOT_FOUND" },
    });
  });
});
