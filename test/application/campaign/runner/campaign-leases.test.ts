import { describe, expect, it } from "vitest";
import type { CreateCampaignRequest } from "../../../../application/campaign/create-campaign.ts";
import type { Carrier } from "../../../../application/ports/carrier.ts";
import { CALLER, engineProcess, OWNER, pass, type Stores, sharedStores, until } from "../../engine-world.ts";
import { campaignRequest } from "../../example-request.ts";

const LEASE = "campaign:cmp_1";
/**
 * The lease of engine-world.ts. It is renewed three times in its life, and lapsed ones are
 * looked for four times.
 */
const LEASE_MILLIS = 10_000;
const NOTICED_WITHIN_MILLIS = LEASE_MILLIS / 3;
const TAKEN_OVER_WITHIN_MILLIS = LEASE_MILLIS + LEASE_MILLIS / 4;
const AT_ONCE_MILLIS = 1_000;

function campaignOf(count: number): CreateCampaignRequest {
  return campaignRequest(count, { maxRetries: 0 });
}

const REFUSING: Carrier["placeCall"] = async () => ({
  kind: "rejected",
  endReason: "invalid_number",
  carrierCode: "404",
  message: "no",
  noAnswerAtAll: false,
});

async function runningCampaign(count: number, options: { readonly placeCall?: Carrier["placeCall"] } = {}) {
  const stores = sharedStores({ planConcurrentCalls: 2 });
  const one = engineProcess(stores, { processId: "one", ...options });
  await until(stores, one.useCases.createCampaign(CALLER, campaignOf(count)));
  await until(stores, one.useCases.startCampaign(CALLER, "cmp_1"));
  return { stores, one };
}

/** Virtual milliseconds until `probe` is true. */
async function measured(stores: Stores, probe: () => boolean | Promise<boolean>): Promise<number> {
  const began = stores.clock.elapsed();
  while (!(await probe())) {
    if (stores.clock.elapsed() - began > 300_000) return Number.POSITIVE_INFINITY;
    await pass(stores, 50);
  }
  return stores.clock.elapsed() - began;
}

const heldBy = (stores: Stores, holder: string | null) => async () =>
  (await stores.leases.holder(LEASE)) === holder;

describe("the lease of a campaign", () => {
  it("is free as soon as the campaign is done", async () => {
    const { stores, one } = await runningCampaign(3, { placeCall: REFUSING });
    const isOver = () => stores.database.events.some(({ type }) => type === "CampaignCompleted");
    await measured(stores, isOver);
    expect(await measured(stores, heldBy(stores, null))).toBeLessThanOrEqual(AT_ONCE_MILLIS);
    one.stop();
  });

  it("of a process that stopped is taken over by another at its next look", async () => {
    const { stores, one } = await runningCampaign(6);
    const two = engineProcess(stores, { processId: "two" });
    await pass(stores, 1_000);
    one.stop();
    expect(await measured(stores, heldBy(stores, "two"))).toBeLessThanOrEqual(LEASE_MILLIS / 4 + 100);
    two.stop();
  });

  it("of a process that died is taken over by one of another name, never before it lapsed", async () => {
    const { stores, one } = await runningCampaign(6);
    const two = engineProcess(stores, { processId: "two" });
    await pass(stores, 1_000);
    // It dies: nothing of it is released, nothing is renewed any more.
    await stores.leases.acquire(LEASE, "one", LEASE_MILLIS);
    const died = stores.leases.renew;
    Object.assign(stores.leases, {
      renew: async (names: readonly string[], holder: string, ttl: number) =>
        holder === "one" ? new Set<string>() : died(names, holder, ttl),
    });
    const acquire = stores.leases.acquire;
    Object.assign(stores.leases, {
      acquire: async (name: string, holder: string, ttl: number) =>
        holder === "one" ? false : acquire(name, holder, ttl),
    });
    const took = await measured(stores, heldBy(stores, "two"));
    expect(took).toBeGreaterThanOrEqual(LEASE_MILLIS - 50);
    expect(took).toBeLessThanOrEqual(TAKEN_OVER_WITHIN_MILLIS);
    one.stop();
    two.stop();
  });

  it("is held without a gap by a process that lives", async () => {
    const { stores, one } = await runningCampaign(6);
    for (let second = 0; second < 40; second += 1) {
      await pass(stores, 1_000);
      expect(await stores.leases.holder(LEASE)).toBe("one");
    }
    one.stop();
  });

  it("that was lost is noticed within a third of its life: from then on nothing is dialled here", async () => {
    const { stores, one } = await runningCampaign(200, { placeCall: REFUSING });
    await pass(stores, 300);
    await stores.leases.release(LEASE, "one");
    await stores.leases.acquire(LEASE, "elsewhere", 120_000);
    await pass(stores, NOTICED_WITHIN_MILLIS + 50);
    const dialled = () => stores.database.events.filter(({ type }) => type === "ContactDialed").length;
    const then = dialled();
    expect(then).toBeLessThan(60);
    await pass(stores, 60_000);
    expect(dialled()).toBe(then);
    expect(await stores.leases.holder(LEASE)).toBe("elsewhere");
    one.stop();
  });
});

describe("a campaign that was lost and taken up again by the same process", () => {
  it("starts the calls that its step before recorded after that: nobody waits for them for ever", async () => {
    const stores = sharedStores({ planConcurrentCalls: 2 });
    let stoodStill = false;
    // As a process that stands still between admission and append (SIGSTOP), for longer than its lease.
    const standsStill = async () => {
      await stores.leases.release(LEASE, "one");
      await stores.clock.sleep(2 * NOTICED_WITHIN_MILLIS);
    };
    const one = engineProcess(stores, {
      processId: "one",
      placeCall: REFUSING,
      crashPoints: {
        reached: (point) => {
          if (point !== "admission.admit.after" || stoodStill) return undefined;
          stoodStill = true;
          return standsStill();
        },
      },
    });
    await until(stores, one.useCases.createCampaign(CALLER, campaignOf(2)));
    await until(stores, one.useCases.startCampaign(CALLER, "cmp_1"));
    await pass(stores, 2 * NOTICED_WITHIN_MILLIS);
    const types = () => stores.database.events.map(({ type }) => type);
    await measured(stores, () => types().includes("ContactDialed"));
    expect(await measured(stores, () => types().includes("CampaignCompleted"))).toBeLessThanOrEqual(
      AT_ONCE_MILLIS,
    );
    expect(types().filter((type) => type === "CallRequested")).toHaveLength(2);
    one.stop();
  });
});

describe("slots that a campaign took and does not need", () => {
  it("are given back at once, not by the watchdog 45 s later", async () => {
    const stores = sharedStores({ planConcurrentCalls: 5 });
    let paused: Promise<unknown> = Promise.resolve();
    let granted = false;
    const one = engineProcess(stores, {
      processId: "one",
      crashPoints: {
        reached: (point) => {
          if (point !== "admission.admit.after" || granted) return undefined;
          granted = true;
          paused = one.useCases.pauseCampaign(CALLER, "cmp_1");
          return paused.then(() => undefined);
        },
      },
    });
    await until(stores, one.useCases.createCampaign(CALLER, campaignOf(5)));
    await until(stores, one.useCases.startCampaign(CALLER, "cmp_1"));
    await pass(stores, 500);
    await until(stores, paused);
    expect(granted).toBe(true);
    expect(one.placed).toEqual([]);
    const isFree = async () => (await stores.admission.account(OWNER)).liveCalls === 0;
    expect(await measured(stores, isFree)).toBeLessThanOrEqual(AT_ONCE_MILLIS);
    one.stop();
  });
});
