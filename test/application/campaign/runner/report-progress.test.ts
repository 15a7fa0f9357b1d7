import { describe, expect, it } from "vitest";
import type { CreateCampaignRequest } from "../../../../application/campaign/create-campaign.ts";
import type { ProgressReport } from "../../../../application/ports/campaign-progress.ts";
import type { Carrier } from "../../../../application/ports/carrier.ts";
import { CALLER, engineProcess, pass, sharedStores, until, type WorldOptions } from "../../engine-world.ts";
import { campaignRequest } from "../../example-request.ts";

/** Each call ends at once, in vain. */
const REFUSING: Carrier["placeCall"] = async () => ({
  kind: "rejected",
  endReason: "invalid_number",
  carrierCode: "404",
  message: "no",
  noAnswerAtAll: false,
});
const AWAY: Carrier["placeCall"] = async () => ({
  kind: "rejected",
  endReason: "not_placed",
  carrierCode: null,
  message: "away",
  noAnswerAtAll: true,
});

type Written = { readonly at: number; readonly reports: readonly ProgressReport[] };

async function world(options: WorldOptions = {}) {
  const stores = sharedStores(options);
  const written: Written[] = [];
  const write = async (reports: readonly ProgressReport[]) => {
    written.push({ at: stores.clock.elapsed(), reports });
  };
  const engine = engineProcess(stores, { ...options, progress: { write } });
  const start = async (count: number, changes: Partial<CreateCampaignRequest> = {}) => {
    const request = campaignRequest(count, { maxRetries: 0, ...changes });
    await until(stores, engine.useCases.createCampaign(CALLER, request));
    await until(stores, engine.useCases.startCampaign(CALLER, request.reservedCampaignId ?? "cmp_1"));
  };
  return { stores, written, start, engine, last: () => written.at(-1)?.reports[0] };
}

describe("the progress of campaigns", () => {
  it("is written once a second at the most, for all campaigns at once, until they are done", async () => {
    const { stores, written, start, engine } = await world({ planConcurrentCalls: 2 });
    await start(4);
    await start(3, { reservedCampaignId: "cmp_2" });
    await pass(stores, 20_000);
    expect(written.at(-1)?.reports.map(({ campaignId }) => campaignId)).toEqual(["cmp_1", "cmp_2"]);
    const gaps = written.slice(1).map(({ at }, index) => at - (written[index]?.at ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...gaps)).toBeLessThan(5_000);
    for (const id of ["cmp_1", "cmp_2"] as const)
      await until(stores, engine.useCases.cancelCampaign(CALLER, id, { hangUpActiveCalls: true }));
    await pass(stores, 600_000);
    const count = written.length;
    await pass(stores, 10_000);
    expect(written.length).toBe(count);
    engine.stop();
  });

  it("is not told while the policy cannot be read, and is told again afterwards", async () => {
    const { stores, written, start, engine } = await world({ planConcurrentCalls: 1 });
    await start(100);
    await pass(stores, 5_000);
    const { inForce } = stores.policies;
    const away = async () => Promise.reject(new Error("the database is away"));
    Object.assign(stores.policies, { inForce: away });
    await pass(stores, 2_000);
    const before = written.length;
    await pass(stores, 5_000);
    expect(written.length).toBe(before);
    Object.assign(stores.policies, { inForce });
    await pass(stores, 5_000);
    expect(written.length).toBeGreaterThan(before);
    engine.stop();
  });

  it("waits for slots of the plan, then of the campaign itself", async () => {
    const plan = await world({ planConcurrentCalls: 2 });
    await plan.start(5);
    await pass(plan.stores, 2_000);
    expect(plan.last()).toMatchObject({ dueNow: 3, waitingFor: "slots" });
    plan.engine.stop();
    const own = await world();
    await own.start(5, { maxConcurrentCalls: 1 });
    await pass(own.stores, 2_000);
    expect(own.last()).toMatchObject({ owner: "usr_1", dueNow: 4, waitingFor: "slots" });
    own.engine.stop();
  });

  it("waits for the conversations that all processes hold, and goes on when they hold more", async () => {
    const { stores, start, engine, last } = await world();
    stores.admission.setCapacity({ text: 2, audio: 0 });
    await start(5);
    await pass(stores, 2_000);
    expect(last()).toMatchObject({ dueNow: 3, waitingFor: "capacity" });
    expect(engine.placed).toHaveLength(2);
    stores.admission.setCapacity({ text: 9, audio: 0 });
    await pass(stores, 2_000);
    expect(last()).toMatchObject({ dueNow: 0, waitingFor: null });
    expect(engine.placed).toHaveLength(5);
    engine.stop();
  });

  it("waits for the pace, and tells when it will be done by it", async () => {
    const { stores, start, engine, last } = await world({ placeCall: REFUSING });
    await start(30, { maxCallsPerSecond: 0.2 });
    await pass(stores, 61_000);
    expect(last()?.waitingFor).toBe("pace");
    const left = last()?.dueNow ?? 0;
    expect(left).toBeGreaterThan(10);
    const estimated = Date.parse(last()?.estimatedEndAt ?? "") - stores.clock.nowMillis();
    expect(estimated).toBeGreaterThan(left * 5_000 * 0.7);
    expect(estimated).toBeLessThan(left * 5_000 * 1.3);
    engine.stop();
  });

  it("waits for credits and for the carrier, and knows no end then", async () => {
    const poor = await world({ credits: 2 });
    await poor.start(5);
    await pass(poor.stores, 2_000);
    expect(poor.last()).toMatchObject({ dueNow: 3, waitingFor: "credits", estimatedEndAt: null });
    poor.engine.stop();
    const away = await world({ placeCall: AWAY });
    await away.start(20);
    await pass(away.stores, 3_000);
    expect(away.last()).toMatchObject({ waitingFor: "carrier", estimatedEndAt: null });
    expect(away.last()?.dueNow).toBeGreaterThan(0);
    away.engine.stop();
  });

  it("waits for the window", async () => {
    const { stores, start, engine, last } = await world();
    await start(3, { window: { start: 15, end: 18 } });
    await pass(stores, 2_000);
    expect(last()).toMatchObject({ dueNow: 0, waitingFor: "window", estimatedEndAt: null });
    engine.stop();
  });

  it("is written again after a failure of its store, and holds nothing up", async () => {
    const stores = sharedStores();
    const tries: number[] = [];
    const write = async () => {
      tries.push(stores.clock.elapsed());
      throw new Error("away");
    };
    const engine = engineProcess(stores, { placeCall: REFUSING, progress: { write } });
    const request = campaignRequest(3, { maxRetries: 0, maxCallsPerSecond: 0.2 });
    await until(stores, engine.useCases.createCampaign(CALLER, request));
    await until(stores, engine.useCases.startCampaign(CALLER, "cmp_1"));
    await pass(stores, 12_000);
    expect(tries.length).toBeGreaterThan(3);
    expect(stores.database.events.filter(({ type }) => type === "ContactAttemptFailed")).toHaveLength(3);
    engine.stop();
  });
});
