import { describe, expect, it } from "vitest";
import type { CreateCampaignRequest } from "../../../application/campaign/create-campaign.ts";
import { CALLER, engineProcess, pass, type Stores, sharedStores, typesOf, until } from "../engine-world.ts";
import { campaignRequest, SINGLE_CALL } from "../example-request.ts";

function campaignOf(count: number): CreateCampaignRequest {
  return campaignRequest(count, { maxRetries: 0 });
}

type Process = ReturnType<typeof engineProcess>;

/** A process that stops dialling the first time it reaches this point. */
function stoppingAt(stores: Stores, point: string): Process {
  let process: Process | null = null;
  const crashPoints = {
    reached: (reached: string) => {
      if (reached === point) process?.stopDialing();
      return undefined;
    },
  };
  process = engineProcess(stores, { crashPoints });
  return process;
}

const startedCampaign = async (stores: Stores, { useCases }: Process, contacts: number) => {
  await until(stores, useCases.createCampaign(CALLER, campaignOf(contacts)));
  return until(stores, useCases.startCampaign(CALLER, "cmp_1"));
};

const callTypes = (stores: Stores) =>
  [...stores.database.streams.keys()]
    .filter((stream) => stream.startsWith("call-"))
    .map((stream) => typesOf(stores, stream));

describe("an outbound call of a process that dials nobody any more", () => {
  it("is stored and answered initiating, and the next process dials it", async () => {
    const stores = sharedStores();
    const first = engineProcess(stores);
    first.stopDialing();
    const outcome = await until(stores, first.useCases.startOutboundCall(CALLER, SINGLE_CALL));
    expect(outcome).toMatchObject({ ok: true, value: { status: "initiating" } });
    expect(callTypes(stores)).toEqual([["CallRequested"]]);
    first.stop();
    const next = engineProcess(stores);
    await pass(stores, 2_000);
    expect([first.placed.length, next.placed.length]).toEqual([0, 1]);
  });

  it("that waits for its pace is not waited for, and the next process dials it", async () => {
    const stores = sharedStores();
    const first = engineProcess(stores);
    const calls = Array.from({ length: 3 }, () => first.useCases.startOutboundCall(CALLER, SINGLE_CALL));
    await pass(stores, 20);
    first.stopDialing();
    const before = stores.clock.monotonicMillis();
    const outcomes = await until(stores, Promise.all(calls));
    expect(stores.clock.monotonicMillis() - before).toBeLessThan(200);
    expect(outcomes.map((outcome) => outcome.ok && outcome.value.status)).toContain("initiating");
    const dialed = first.placed.length;
    expect(dialed).toBeLessThan(3);
    first.stop();
    const next = engineProcess(stores);
    await pass(stores, 2_000);
    expect(new Set([...first.placed, ...next.placed]).size).toBe(3);
    expect(next.placed).toHaveLength(3 - dialed);
  });

  it("ends not_placed when the next process comes after its dialBy", async () => {
    const stores = sharedStores();
    const first = engineProcess(stores);
    first.stopDialing();
    await until(stores, first.useCases.startOutboundCall(CALLER, SINGLE_CALL));
    first.stop();
    await pass(stores, 16_000);
    const next = engineProcess(stores);
    await pass(stores, 2_000);
    expect([callTypes(stores), next.placed]).toEqual([[["CallRequested", "CallFailed"]], []]);
  });
});

describe("a campaign of a process that dials nobody any more", () => {
  it("takes no slot and records no dial", async () => {
    const stores = sharedStores();
    const first = engineProcess(stores);
    first.stopDialing();
    await startedCampaign(stores, first, 3);
    await pass(stores, 5_000);
    expect(typesOf(stores, "campaign-cmp_1")).not.toContain("ContactDialed");
    expect((await stores.admission.account(CALLER.owner)).liveCalls).toBe(0);
  });

  it("gives slots back that were granted while the stop came", async () => {
    const stores = sharedStores();
    const first = stoppingAt(stores, "admission.admit.after");
    await startedCampaign(stores, first, 3);
    await pass(stores, 5_000);
    expect(typesOf(stores, "campaign-cmp_1")).not.toContain("ContactDialed");
    expect((await stores.admission.account(CALLER.owner)).liveCalls).toBe(0);
  });

  it("leaves recorded dials to the next process, which rings each of them once", async () => {
    const stores = sharedStores();
    const first = stoppingAt(stores, "eventStore.append.ContactDialed.after");
    await startedCampaign(stores, first, 3);
    await pass(stores, 500);
    expect(typesOf(stores, "campaign-cmp_1")).toContain("ContactDialed");
    expect(first.placed).toEqual([]);
    first.stop();
    const next = engineProcess(stores);
    await pass(stores, 5_000);
    expect(next.placed).toHaveLength(3);
    expect(typesOf(stores, "campaign-cmp_1").filter((type) => type === "ContactDialed")).toHaveLength(3);
  });

  it("ends a dial not_placed that had begun but not left, at no cost of attempts", async () => {
    const stores = sharedStores();
    const first = stoppingAt(stores, "eventStore.append.CallDialingBegan.after");
    await startedCampaign(stores, first, 1);
    await pass(stores, 500);
    expect([first.placed, callTypes(stores)]).toEqual([
      [],
      [["CallRequested", "CallDialingBegan", "CallFailed"]],
    ]);
    first.stop();
    const next = engineProcess(stores);
    await pass(stores, 60_000);
    expect(next.placed).toHaveLength(1);
    expect(typesOf(stores, "campaign-cmp_1")).toContain("ContactAttemptFailed");
  });

  it("answers no pause while a recorded dial is left to the next process", async () => {
    const stores = sharedStores();
    const first = stoppingAt(stores, "eventStore.append.ContactDialed.after");
    await startedCampaign(stores, first, 1);
    await pass(stores, 500);
    await expect(until(stores, first.useCases.pauseCampaign(CALLER, "cmp_1"))).rejects.toMatchObject({
      failure: { kind: "unavailable" },
    });
  });
});

describe("dials on the wire", () => {
  it("are waited for until the carrier's reply is recorded", async () => {
    const stores = sharedStores();
    const first = engineProcess(stores);
    const call = first.useCases.startOutboundCall(CALLER, SINGLE_CALL);
    await pass(stores, 20);
    first.stopDialing();
    await until(stores, first.allHandedOver());
    expect(callTypes(stores)).toEqual([["CallRequested", "CallDialingBegan", "CallRinging"]]);
    await until(stores, call);
  });
});
