import { afterAll, beforeAll, expect, it } from "vitest";
import type { CampaignId } from "../../../domain/shared/ids.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import {
  type AdmissionWorld,
  ask,
  grantedCalls,
  hangUp,
  PRICE,
  someCalls,
  someCampaign,
  someOwner,
} from "./admission-world.ts";
import { type TwoProcesses, twoProcesses } from "./two-processes.ts";

let processes: TwoProcesses;
let here: AdmissionWorld;
let there: AdmissionWorld;
beforeAll(async () => {
  processes = await twoProcesses();
  ({ here, there } = processes);
});
afterAll(() => processes.end());

it("keeps plan and sums when two processes take and free slots of the same owners at once", async () => {
  const owners = [
    await someOwner(here, { maxConcurrentCalls: 9 }),
    await someOwner(here, { maxConcurrentCalls: 4 }),
  ];
  const worker = async (world: AdmissionWorld, number: number) => {
    const owner = owners[number % 2] ?? "usr_";
    const plan = number % 2 === 0 ? 9 : 4;
    for (let round = 0; round < 12; round += 1) {
      const { granted } = await ask(world, owner, someCalls(3));
      for (const { activeCalls } of granted) expect(activeCalls).toBeLessThanOrEqual(plan);
      await hangUp(
        number % 3 === 0 ? here : world,
        granted.map(({ callId }) => callId),
        100,
      );
    }
  };
  await Promise.all(Array.from({ length: 12 }, (_, number) => worker(number % 4 < 2 ? here : there, number)));
  for (const owner of owners) {
    const charged = (await here.ledger(owner)).filter(({ cause }) => cause === "charge").length;
    const balance = 1_000 * PRICE - charged * 100;
    expect(await there.admission.account(owner)).toEqual({ balance, reserved: 0, liveCalls: 0 });
  }
});

it("grants a call to one of two processes that ask for it at once, and answers both the same", async () => {
  const owner = await someOwner(here);
  const calls = someCalls(1);
  const [one, other] = await Promise.all([ask(here, owner, calls), ask(there, owner, calls)]);
  expect(one).toEqual(other);
  expect(await here.admission.account(owner)).toMatchObject({ liveCalls: 1, reserved: PRICE });
});

it("locks owners in one order: groups of many owners never block each other for good", async () => {
  const owners = await Promise.all(Array.from({ length: 6 }, () => someOwner(here)));
  const rounds = Array.from({ length: 15 }, async (_, round) => {
    const order = round % 2 === 0 ? owners : owners.toReversed();
    const world = round % 2 === 0 ? here : there;
    const granted = await Promise.all(order.map((owner) => ask(world, owner, someCalls(1))));
    const calls = granted.flatMap(grantedCalls);
    const at = await world.now();
    await Promise.all([
      world.admission.setNextLooks(calls.toReversed().map((callId) => ({ callId, at }))),
      hangUp(world === here ? there : here, calls),
    ]);
  });
  await Promise.all(rounds);
  for (const owner of owners) expect(await here.admission.account(owner)).toMatchObject({ liveCalls: 0 });
});

it("wakes a campaign that waits in another process", async () => {
  const owner = await someOwner(here, { maxConcurrentCalls: 1 });
  const campaignId = someCampaign();
  const held = grantedCalls(await ask(here, owner, someCalls(1)));
  await ask(there, owner, someCalls(1), { campaignId });
  const woken: CampaignId[] = [];
  const stop = there.admission.onWake((wake) => woken.push(wake.campaignId));
  await hangUp(here, held);
  await eventually("the wake", () => woken.includes(campaignId));
  stop();
});

it("reports nothing as failed because a listener does", async () => {
  const owner = await someOwner(here, { maxConcurrentCalls: 1 });
  const held = grantedCalls(await ask(here, owner, someCalls(1)));
  await ask(here, owner, someCalls(1), { campaignId: someCampaign() });
  let told = 0;
  const stop = here.admission.onWake(() => {
    told += 1;
    throw new Error("broken listener");
  });
  await hangUp(here, held);
  stop();
  expect(told).toBe(1);
});

it("rejects what was under way when the connections are cut, keeps its sums, and goes on", async () => {
  const owner = await someOwner(here, { maxConcurrentCalls: 1_000 });
  const calls = someCalls(200);
  const asked = calls.map((callId) => ask(there, owner, [callId]).catch(() => null));
  const cut =
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
  await processes.database.pool.query(cut).catch(() => undefined);
  await Promise.all(asked);
  const again = await eventually("the database", () => ask(here, owner, calls).catch(() => null));
  expect(new Set(grantedCalls(again))).toEqual(new Set(calls));
  expect(await here.admission.account(owner)).toMatchObject({ liveCalls: 200, reserved: 200 * PRICE });
});
