import { beforeEach, describe, expect, it } from "vitest";
import type { CreateCampaignRequest } from "../../../application/campaign/create-campaign.ts";
import { EventStoreError } from "../../../application/ports/event-store.ts";
import {
  CALLER,
  engineProcess,
  OWNER,
  openEvents,
  pass,
  type Stores,
  sharedStores,
  typesOf,
  until,
} from "../engine-world.ts";
import { campaignRequest, exampleContacts } from "../example-request.ts";

const STREAM = "campaign-cmp_1";
const STRANGER = { ...CALLER, owner: "usr_2" } as const;
const NEW = ["+12025559001", "+12025559002"];

let stores: Stores;
let one: ReturnType<typeof engineProcess>;
let other: ReturnType<typeof engineProcess>;
beforeEach(() => {
  stores = sharedStores();
  one = engineProcess(stores, { processId: "one", works: false });
  other = engineProcess(stores, { processId: "other", works: false });
});

const create = (changes: Partial<CreateCampaignRequest> = {}) =>
  until(stores, one.useCases.createCampaign(CALLER, campaignRequest(2, changes)));
const add = (
  from = one,
  {
    caller = CALLER,
    reservedImportId = null,
  }: { caller?: typeof CALLER; reservedImportId?: "imp_key" | null } = {},
) => {
  const request = {
    contacts: exampleContacts(NEW),
    refusedRows: [],
    skipDuplicates: false,
    reservedImportId,
  };
  return until(stores, from.useCases.addContacts(caller, "cmp_1", request));
};
const cancel = () =>
  until(stores, one.useCases.cancelCampaign(CALLER, "cmp_1", { hangUpActiveCalls: false }));
const eventCount = () => stores.database.events.length;

describe("contacts that are added to a campaign", () => {
  it("are told with warnings of what the campaign says to them, by its own settings", async () => {
    await create({ greetingMessage: "Hello in {{city}}", timezone: undefined });
    const added = await add();
    const told = added.ok ? added.value.warnings : [];
    expect(told).toContainEqual(
      expect.objectContaining({
        code: "placeholder_unfilled",
        count: 2,
        message: expect.stringContaining("city"),
      }),
    );
    expect(told.map(({ code }) => code)).toEqual(expect.arrayContaining(["retries_declined"]));
  });

  it("come to a campaign that another process made after this one had looked for it in vain", async () => {
    expect(await add(other)).toMatchObject({ refusal: { code: "CAMPAIGN_NOT_FOUND" } });
    await create({ greetingMessage: "Hello in {{city}}" });
    const added = await add(other);
    expect(added).toMatchObject({ ok: true, value: { added: 2 } });
    expect(added.ok && added.value.warnings.map(({ code }) => code)).toContain("placeholder_unfilled");
  });

  it("are refused, and nothing is stored, when another process has ended the campaign meanwhile", async () => {
    await create();
    expect(await add(other, { caller: STRANGER })).toMatchObject({ refusal: { code: "CAMPAIGN_NOT_FOUND" } });
    await cancel();
    const before = eventCount();
    expect(await add(other)).toMatchObject({ refusal: { code: "CAMPAIGN_INVALID_STATE" } });
    expect(eventCount()).toBe(before);
  });

  it("are refused, and nothing is stored, when the campaign has come to its end", async () => {
    const worker = engineProcess(stores, { processId: "worker" });
    stores.directory.suppress(OWNER, "+12025550000");
    await until(stores, one.useCases.createCampaign(CALLER, campaignRequest(1)));
    await until(stores, worker.useCases.startCampaign(CALLER, "cmp_1"));
    await pass(stores, 1_000);
    const before = eventCount();
    expect(await add()).toMatchObject({
      refusal: { message: "The campaign is COMPLETED", currentStatus: "COMPLETED" },
    });
    expect(eventCount()).toBe(before);
    worker.stop();
  });

  it("and sealed under their key are told again, also when the campaign has ended since", async () => {
    await create();
    const once = { reservedImportId: "imp_key" } as const;
    const first = await add(one, once);
    await cancel();
    const before = eventCount();
    expect(await add(one, once)).toMatchObject({ ok: true, value: first.ok && first.value });
    expect(eventCount()).toBe(before);
  });

  it("are an import of their own without a key", async () => {
    await create();
    await add();
    expect(openEvents(stores, STREAM).at(-1)?.data["importId"]).toMatch(/^imp_.+/);
  });
});

describe("an import of added contacts that comes to nothing", () => {
  it("is abandoned when a rule refuses its seal", async () => {
    await create();
    let cancelled = false;
    const slow = engineProcess(stores, {
      processId: "slow",
      works: false,
      wrapStore: (store) => ({
        ...store,
        append: async (stream, expected, events) => {
          const appended = await store.append(stream, expected, events);
          if (!cancelled && events.some(({ type }) => type === "ContactsImported")) {
            cancelled = true;
            await one.useCases.cancelCampaign(CALLER, "cmp_1", { hangUpActiveCalls: false });
          }
          return appended;
        },
      }),
    });
    expect(await add(slow)).toMatchObject({ refusal: { code: "CAMPAIGN_INVALID_STATE" } });
    expect(typesOf(stores, STREAM).slice(2)).toEqual([
      "ContactsImported",
      "CampaignCancelled",
      "ImportAbandoned",
    ]);
  });

  it("rejects with what the log says when it takes no chunk", async () => {
    await create();
    const refused = new EventStoreError({ kind: "too_large", what: "event", bytes: 2, limit: 1 });
    const full = engineProcess(stores, {
      processId: "full",
      works: false,
      wrapStore: (store) => ({ ...store, append: () => Promise.reject(refused) }),
    });
    await expect(add(full)).rejects.toBe(refused);
  });
});
