import { describe, expect, it } from "vitest";
import type { CreateCampaignRequest } from "../../../application/campaign/create-campaign.ts";
import { type EventStore, EventStoreError } from "../../../application/ports/event-store.ts";
import { parsePhoneNumber } from "../../../domain/shared/phone-number.ts";
import { CALLER, engineProcess, pass, sharedStores, typesOf, until } from "../engine-world.ts";
import { campaignRequest, exampleContacts } from "../example-request.ts";

const CAMPAIGN = "cmp_1";
const STREAM = `campaign-${CAMPAIGN}`;

function requestOf(count: number, text = ""): CreateCampaignRequest {
  const contacts = exampleContacts(count, { text });
  return campaignRequest(count, { reservedCampaignId: CAMPAIGN, contacts });
}

describe("creating a campaign", () => {
  it("imports in chunks and seals them", async () => {
    const stores = sharedStores();
    const { useCases } = engineProcess(stores);
    const outcome = await until(stores, useCases.createCampaign(CALLER, requestOf(500, "x".repeat(1_000))));
    expect(outcome).toMatchObject({ ok: true, value: { totalContacts: 500 } });
    expect(typesOf(stores, STREAM)).toEqual([
      "ContactsImported",
      "ContactsImported",
      "ContactsImported",
      "CampaignCreated",
    ]);
  });

  it("goes on with the same import when a process died between two chunks", async () => {
    const stores = sharedStores();
    let appends = 0;
    const crashPoints = {
      reached: (point: string) => {
        appends += point === "eventStore.append.ContactsImported.before" ? 1 : 0;
        return appends < 2 ? undefined : new Promise<void>(() => undefined);
      },
    };
    const request = requestOf(500, "x".repeat(1_000));
    const dying = engineProcess(stores, { crashPoints });
    dying.useCases.createCampaign(CALLER, request).catch(() => undefined); // nobody hears a dead process
    await pass(stores, 1_000);
    dying.stop();
    expect(typesOf(stores, STREAM)).toEqual(["ContactsImported"]);
    const { useCases } = engineProcess(stores);
    await until(stores, useCases.createCampaign(CALLER, request));
    expect(typesOf(stores, STREAM)).toEqual([
      "ContactsImported",
      "ContactsImported",
      "ContactsImported",
      "CampaignCreated",
    ]);
  });

  it("writes chunks that waited for another one together, and the seal with the last of them", async () => {
    const stores = sharedStores();
    const appends: string[][] = [];
    const wrapStore = (store: EventStore): EventStore => ({
      ...store,
      append: (stream, expected, events) => {
        if (stream === STREAM) appends.push(events.map(({ type }) => type));
        return store.append(stream, expected, events);
      },
    });
    const { useCases } = engineProcess(stores, { wrapStore });
    await until(stores, useCases.createCampaign(CALLER, requestOf(500, "x".repeat(1_000))));
    expect(appends).toEqual([
      ["ContactsImported"],
      ["ContactsImported", "ContactsImported"],
      ["CampaignCreated"],
    ]);
  });

  it("rejects, and seals nothing, when a chunk cannot be stored", async () => {
    const stores = sharedStores();
    const refused = new EventStoreError({ kind: "too_large", what: "event", bytes: 2, limit: 1 });
    let appends = 0;
    const wrapStore = (store: EventStore): EventStore => ({
      ...store,
      append: (stream, expected, events) => {
        const isChunk = stream === STREAM && events.some(({ type }) => type === "ContactsImported");
        appends += isChunk ? 1 : 0;
        return isChunk && appends > 1 ? Promise.reject(refused) : store.append(stream, expected, events);
      },
    });
    const { useCases } = engineProcess(stores, { wrapStore });
    const creating = useCases.createCampaign(CALLER, requestOf(1_200, "x".repeat(1_000)));
    const outcome = await until(
      stores,
      creating.catch((error: unknown) => error),
    );
    expect(outcome).toBe(refused);
    expect(typesOf(stores, STREAM)).toEqual(["ContactsImported"]);
  });

  it("reports numbers that cannot be called, and repeats", async () => {
    const stores = sharedStores();
    const request = requestOf(3);
    const [first] = request.contacts;
    if (first === undefined) throw new Error("no contact");
    const wrong = { ...first, index: 3, phoneNumber: "0555", number: parsePhoneNumber("0555") };
    const repeat = { ...first, index: 4 };
    const outcome = await until(
      stores,
      engineProcess(stores).useCases.createCampaign(CALLER, {
        ...request,
        contacts: [...request.contacts, wrong, repeat],
        skipDuplicates: true,
      }),
    );
    if (!outcome.ok) throw new Error(outcome.refusal.code);
    expect(outcome.value.totalContacts).toBe(3);
    expect(outcome.value.rejectedContacts.items.map(({ index, reason }) => [index, reason])).toEqual([
      [3, "not_e164"],
      [4, "duplicate"],
    ]);
  });

  it("answers a campaign of that id that stands already, and makes nothing", async () => {
    const stores = sharedStores();
    const { useCases } = engineProcess(stores);
    const first = await until(stores, useCases.createCampaign(CALLER, requestOf(2)));
    const again = await until(stores, useCases.createCampaign(CALLER, requestOf(2)));
    expect(again).toEqual(first);
    expect(typesOf(stores, STREAM)).toHaveLength(2);
  });
});

describe("commands of users", () => {
  it("reach a campaign that another process runs", async () => {
    const stores = sharedStores();
    const one = engineProcess(stores, { processId: "one" });
    await until(stores, one.useCases.createCampaign(CALLER, requestOf(3)));
    await until(stores, one.useCases.startCampaign(CALLER, CAMPAIGN));
    const other = engineProcess(stores, { processId: "other", works: false });
    const paused = await until(stores, other.useCases.pauseCampaign(CALLER, CAMPAIGN));
    expect(paused).toMatchObject({ ok: true });
    expect(typesOf(stores, STREAM).at(-1)).toBe("CampaignPaused");
    one.stop();
  });

  it("are carried out by a process that only serves requests when nobody holds the campaign", async () => {
    const stores = sharedStores();
    const api = engineProcess(stores, { processId: "api", works: false });
    await until(stores, api.useCases.createCampaign(CALLER, requestOf(2)));
    const cancelled = await until(
      stores,
      api.useCases.cancelCampaign(CALLER, CAMPAIGN, { hangUpActiveCalls: false }),
    );
    expect(cancelled).toMatchObject({ ok: true });
    expect(typesOf(stores, STREAM).at(-1)).toBe("CampaignCancelled");
  });

  it("leave a started campaign to a worker, whenever the command comes and whenever the lease is given up", async () => {
    const stores = sharedStores();
    const api = engineProcess(stores, { processId: "api", works: false });
    const worker = engineProcess(stores, { processId: "worker" });
    await until(stores, api.useCases.createCampaign(CALLER, requestOf(2)));
    await until(stores, api.useCases.startCampaign(CALLER, CAMPAIGN));
    await until(stores, stores.clock.sleep(2_000));
    expect(await stores.leases.holder(`campaign:${CAMPAIGN}`)).toBe("worker");
    expect(worker.placed).toHaveLength(2);
    expect(api.placed).toHaveLength(0);
    worker.stop();
  });

  it("are not carried out later when nobody answered, but for what stops calls", async () => {
    const stores = sharedStores();
    const api = engineProcess(stores, { processId: "api", works: false });
    await until(stores, api.useCases.createCampaign(CALLER, requestOf(1)));
    await stores.leases.acquire(`campaign:${CAMPAIGN}`, "elsewhere", 600_000);
    const failed = async (work: Promise<unknown>) =>
      String(
        await until(
          stores,
          work.then(
            () => "answered",
            (error: unknown) => error,
          ),
        ),
      );
    expect(await failed(api.useCases.startCampaign(CALLER, CAMPAIGN))).toContain("no process answered");
    expect(await stores.commandQueue.waiting([CAMPAIGN])).toEqual([]);
    expect(await failed(api.useCases.pauseCampaign(CALLER, CAMPAIGN))).toContain("no process answered");
    expect(await stores.commandQueue.waiting([CAMPAIGN])).toHaveLength(1);
  });

  it("answer another owner's campaign as one that is not there", async () => {
    const stores = sharedStores();
    const { useCases } = engineProcess(stores);
    await until(stores, useCases.createCampaign(CALLER, requestOf(1)));
    const stranger = { ...CALLER, owner: "usr_2" } as const;
    const outcome = await until(stores, useCases.startCampaign(stranger, CAMPAIGN));
    expect(outcome.ok ? "ok" : outcome.refusal.code).toBe("CAMPAIGN_NOT_FOUND");
  });

  it("name the state that forbids them", async () => {
    const stores = sharedStores();
    const { useCases } = engineProcess(stores);
    await until(stores, useCases.createCampaign(CALLER, requestOf(1)));
    const outcome = await until(stores, useCases.pauseCampaign(CALLER, CAMPAIGN));
    expect(outcome).toMatchObject({ refusal: { code: "CAMPAIGN_INVALID_STATE", currentStatus: "PENDING" } });
  });
});

describe("a pause", () => {
  it("answers after the dials that were recorded before it have begun", async () => {
    const stores = sharedStores();
    const { useCases } = engineProcess(stores);
    await until(stores, useCases.createCampaign(CALLER, requestOf(5)));
    await until(stores, useCases.startCampaign(CALLER, CAMPAIGN));
    await until(stores, useCases.pauseCampaign(CALLER, CAMPAIGN));
    const events = [...stores.database.events].map(({ type }) => type);
    expect(events.filter((type) => type === "ContactDialed")).toHaveLength(5);
    expect(events.filter((type) => type === "CallDialingBegan")).toHaveLength(5);
  });
});
