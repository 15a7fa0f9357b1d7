import { describe, expect, it } from "vitest";
import type { CampaignSettings } from "../../../../domain/campaign/settings.ts";
import { creditsToUnits } from "../../../../domain/shared/credits.ts";
import { type Instant, millisOf, plusMillis } from "../../../../domain/shared/instant.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  OWNER,
  PHONE_NUMBER,
  pass,
  type Stores,
  sharedStores,
  typesOf,
  until,
} from "../../engine-world.ts";
import { campaignRequest } from "../../example-request.ts";

const STREAM = "campaign-cmp_1";
const MINUTE = 60_000;
const LATE_AT_MOST = 2_000;

type Process = ReturnType<typeof engineProcess>;

/** A campaign of two contacts that starts by itself so much later. */
async function scheduled({ useCases }: Process, stores: Stores, millis: number): Promise<Instant> {
  const startAt = plusMillis(stores.clock.now(), millis);
  const made = await until(stores, useCases.createCampaign(CALLER, campaignRequest(2, { startAt })));
  expect(made).toMatchObject({ ok: true });
  return startAt;
}

const change = (stores: Stores, { useCases }: Process, changes: Partial<CampaignSettings>) =>
  until(stores, useCases.changeCampaign(CALLER, "cmp_1", changes));

const startsOf = (stores: Stores) =>
  (stores.database.streams.get(STREAM)?.events ?? []).filter(({ type }) => type === "CampaignStarted");

/** How much later than its time it started, in ms; null: not yet. */
function lateness(stores: Stores, startAt: Instant): number | null {
  const data: { readonly at?: Instant } = startsOf(stores)[0]?.data ?? {};
  return data.at === undefined ? null : millisOf(data.at) - millisOf(startAt);
}

function expectInTime(stores: Stores, startAt: Instant): void {
  expect(startsOf(stores)).toMatchObject([{ data: { by: "system" } }]);
  const late = lateness(stores, startAt);
  expect(late).toBeGreaterThanOrEqual(0);
  expect(late).toBeLessThanOrEqual(LATE_AT_MOST);
}

describe("a campaign with a startAt", () => {
  it.each([500, 90 * MINUTE])("starts by itself 0 to 2 s after it, once (in %d ms)", async (millis) => {
    const stores = sharedStores();
    const one = engineProcess(stores);
    const startAt = await scheduled(one, stores, millis);
    await pass(stores, millis - 100);
    expect(startsOf(stores)).toEqual([]);
    await pass(stores, LATE_AT_MOST + 100);
    expectInTime(stores, startAt);
    expect(one.placed.length).toBe(2);
    one.stop();
  });

  it("that has just passed starts at once; an older one, or one of the year after the next, is refused", async () => {
    const stores = sharedStores();
    const one = engineProcess(stores);
    for (const [millis, message] of [
      [-60_001, "Is more than 60 seconds in the past"],
      [367 * 24 * 60 * MINUTE, "Is more than a year ahead"],
    ] as const) {
      const startAt = plusMillis(stores.clock.now(), millis);
      const request = campaignRequest(2, { startAt, reservedCampaignId: null });
      expect(await until(stores, one.useCases.createCampaign(CALLER, request))).toMatchObject({
        refusal: { code: "VALIDATION_ERROR", details: [{ path: ["startAt"], message }] },
      });
    }
    await scheduled(one, stores, -60_000);
    await pass(stores, LATE_AT_MOST);
    expect(startsOf(stores)).toHaveLength(1);
    one.stop();
  });

  it("is started before it by whoever wants to, and not again", async () => {
    const stores = sharedStores();
    const one = engineProcess(stores);
    await scheduled(one, stores, MINUTE);
    await until(stores, one.useCases.startCampaign(CALLER, "cmp_1"));
    await pass(stores, 2 * MINUTE);
    expect(startsOf(stores)).toHaveLength(1);
    expect(startsOf(stores)[0]?.data).not.toHaveProperty("by");
    one.stop();
  });

  it("that is put off starts then; one that is taken back never; one that is set later, too", async () => {
    const stores = sharedStores();
    const one = engineProcess(stores);
    await scheduled(one, stores, MINUTE);
    await change(stores, one, { startAt: plusMillis(stores.clock.now(), 3 * MINUTE) });
    await pass(stores, 2 * MINUTE);
    await change(stores, one, { startAt: null });
    await pass(stores, 60 * MINUTE);
    expect(startsOf(stores)).toEqual([]);
    expect(await stores.leases.holder("campaign:cmp_1")).toBeNull();
    const startAt = plusMillis(stores.clock.now(), MINUTE);
    await change(stores, one, { startAt });
    await pass(stores, MINUTE + LATE_AT_MOST);
    expectInTime(stores, startAt);
    const refused = await change(stores, one, { startAt: plusMillis(stores.clock.now(), MINUTE) });
    expect(refused).toMatchObject({ refusal: { code: "CAMPAIGN_INVALID_STATE" } });
    one.stop();
  });

  it("goes to PAUSED without credits, and on when they come", async () => {
    const stores = sharedStores({ credits: 0.5 });
    const one = engineProcess(stores);
    await scheduled(one, stores, MINUTE);
    await pass(stores, MINUTE + LATE_AT_MOST);
    const paused = stores.database.streams.get(STREAM)?.events.at(-1);
    expect(paused).toMatchObject({ type: "CampaignPaused", data: { reason: "insufficient_credits" } });
    await until(stores, stores.admission.topUp(OWNER, creditsToUnits(10), "more"));
    await pass(stores, 10_000);
    expect(typesOf(stores, STREAM)).toContain("ContactDialed");
    one.stop();
  });

  it.each([
    ["phone_number_inactive", (stores: Stores) => stores.directory.setPhoneNumber(OWNER, PHONE_NUMBER, null)],
    ["assistant_unpublished", (stores: Stores) => stores.directory.unpublish(OWNER, ASSISTANT)],
  ])("goes to PAUSED %s", async (reason, away) => {
    const stores = sharedStores();
    const one = engineProcess(stores);
    await scheduled(one, stores, MINUTE);
    away(stores);
    await pass(stores, MINUTE + LATE_AT_MOST);
    expect(stores.database.streams.get(STREAM)?.events.at(-1)).toMatchObject({ data: { reason } });
    one.stop();
  });

  it("never starts while its owner is inactive, and does when it is active again", async () => {
    const stores = sharedStores();
    const one = engineProcess(stores);
    const plan = { maxConcurrentCalls: 10, maxCallsPerSecond: 10 };
    await scheduled(one, stores, MINUTE);
    stores.directory.setOwner(OWNER, { active: false, plan });
    await pass(stores, 60 * MINUTE);
    expect(startsOf(stores)).toEqual([]);
    stores.directory.setOwner(OWNER, { active: true, plan });
    await pass(stores, 100);
    expect(startsOf(stores)).toHaveLength(1);
    one.stop();
  });

  it("starts when the service is back after a stop over its time", async () => {
    const stores = sharedStores();
    const one = engineProcess(stores);
    await scheduled(one, stores, MINUTE);
    one.stop();
    await pass(stores, 60 * MINUTE);
    expect(startsOf(stores)).toEqual([]);
    const two = engineProcess(stores, { processId: "two" });
    await pass(stores, LATE_AT_MOST);
    expect(startsOf(stores)).toHaveLength(1);
    two.stop();
  });
});

describe("with two processes, a campaign with a startAt", () => {
  it("that one without work of its own made is started by the other", async () => {
    const stores = sharedStores();
    const api = engineProcess(stores, { processId: "api", works: false });
    const worker = engineProcess(stores, { processId: "worker" });
    const startAt = await scheduled(api, stores, 3_000);
    await pass(stores, 3_000 + LATE_AT_MOST);
    expectInTime(stores, startAt);
    expect(worker.placed).toHaveLength(2);
    api.stop();
    worker.stop();
  });

  it("whose time a process without work of its own set is started by the other", async () => {
    const stores = sharedStores();
    const api = engineProcess(stores, { processId: "api", works: false });
    const worker = engineProcess(stores, { processId: "worker" });
    await until(stores, api.useCases.createCampaign(CALLER, campaignRequest(2)));
    await pass(stores, MINUTE);
    const startAt = plusMillis(stores.clock.now(), 3_000);
    await change(stores, api, { startAt });
    await pass(stores, 3_000 + LATE_AT_MOST);
    expectInTime(stores, startAt);
    api.stop();
    worker.stop();
  });

  it.each([
    "eventStore.append.CampaignCreated.after",
    "eventStore.append.CampaignStarted.before",
    "eventStore.append.CampaignStarted.after",
  ])("starts once when one dies right %s", async (place) => {
    const stores = sharedStores();
    const crashPoints = {
      reached: (point: string) => (point === place ? new Promise<void>(() => undefined) : undefined),
    };
    const dying = engineProcess(stores, { processId: "one", crashPoints });
    const startAt = plusMillis(stores.clock.now(), MINUTE);
    dying.useCases.createCampaign(CALLER, campaignRequest(2, { startAt })).catch(() => undefined);
    await pass(stores, place.endsWith("Created") ? 100 : MINUTE + 100);
    dying.stop();
    const two = engineProcess(stores, { processId: "two" });
    await pass(stores, 2 * MINUTE);
    expect(startsOf(stores)).toHaveLength(1);
    expect(typesOf(stores, STREAM).filter((type) => type === "ContactDialed")).toHaveLength(2);
    two.stop();
  });

  it("is found also when its import was not sealed yet at the first look", async () => {
    const stores = sharedStores();
    const held = Promise.withResolvers<void>();
    const crashPoints = {
      reached: (point: string) =>
        point === "eventStore.append.CampaignCreated.before" ? held.promise : undefined,
    };
    const dying = engineProcess(stores, { processId: "one", works: false, crashPoints });
    const two = engineProcess(stores, { processId: "two" });
    const startAt = plusMillis(stores.clock.now(), MINUTE);
    dying.useCases.createCampaign(CALLER, campaignRequest(2, { startAt })).catch(() => undefined);
    await pass(stores, 30_000);
    expect(typesOf(stores, STREAM)).toEqual(["ContactsImported"]);
    held.resolve();
    dying.stop();
    await pass(stores, 30_000 + LATE_AT_MOST);
    expectInTime(stores, startAt);
    two.stop();
  });
});
