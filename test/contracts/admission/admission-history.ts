import fc from "fast-check";
import { expect } from "vitest";
import type { CallId, CampaignId, OwnerId } from "../../../domain/shared/ids.ts";
import { millisOf, plusMillis } from "../../../domain/shared/instant.ts";
import {
  type AdmissionWorld,
  ask,
  NUMBER,
  PRICE,
  someCall,
  someCalls,
  someCampaign,
  someOwner,
} from "./admission-world.ts";

const PLANS = [
  { maxConcurrentCalls: 5, maxCallsPerSecond: 20 },
  { maxConcurrentCalls: 3, maxCallsPerSecond: 4 },
] as const;
const CAPS = [null, 2, 4] as const;
const PACES = [null, null, 3] as const;

/** What owners, campaigns and carriers do to an admission. `pick` chooses among the open calls. */
export const step = fc.oneof(
  fc.record({
    kind: fc.constant("ask"),
    owner: fc.nat({ max: 1 }),
    /** 3: a single call. */
    campaign: fc.nat({ max: 3 }),
    count: fc.nat({ max: 6 }),
  }),
  fc.record({
    kind: fc.constant("close"),
    pick: fc.nat({ max: 40 }),
    cost: fc.nat({ max: 2 * PRICE }),
    twice: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("again"), pick: fc.nat({ max: 40 }) }),
  fc.record({ kind: fc.constant("ensure"), owner: fc.nat({ max: 1 }), campaign: fc.nat({ max: 2 }) }),
  fc.record({ kind: fc.constant("top up"), owner: fc.nat({ max: 1 }), reference: fc.nat({ max: 3 }) }),
  fc.record({ kind: fc.constant("pass"), millis: fc.nat({ max: 6_000 }) }),
);
export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

type Open = {
  readonly callId: CallId;
  readonly owner: OwnerId;
  readonly campaignId: CampaignId | null;
  readonly ensured: boolean;
};

/** Follows what was granted, by counting only. */
type Counted = {
  readonly open: Open[];
  readonly closed: Open[];
  readonly dials: Map<OwnerId, number[]>;
};

/** Runs the steps one after another; what must hold is checked after each of them. */
export async function runHistory(world: AdmissionWorld, steps: readonly Step[]): Promise<void> {
  const owners: readonly OwnerId[] = [
    await someOwner(world, PLANS[0], 12 * PRICE),
    await someOwner(world, PLANS[1], 12 * PRICE),
  ];
  const campaigns = owners.map(() => [someCampaign(), someCampaign(), someCampaign()]);
  const counted: Counted = { open: [], closed: [], dials: new Map() };
  for (const one of steps) {
    await take(world, one, { owners, campaigns, counted });
    for (const [index, owner] of owners.entries()) await holds(world, owner, PLANS[index], counted);
  }
}

type Cast = {
  readonly owners: readonly OwnerId[];
  readonly campaigns: readonly (readonly CampaignId[])[];
  readonly counted: Counted;
};

async function take(world: AdmissionWorld, one: Step, cast: Cast): Promise<void> {
  const { counted } = cast;
  const { admission } = world;
  switch (one.kind) {
    case "ask":
      return askFor(world, one, cast);
    case "close": {
      const call = counted.open[one.pick % Math.max(1, counted.open.length)];
      if (call === undefined) return;
      const settlement = { callId: call.callId, cost: one.cost };
      await admission.close(one.twice ? [settlement, { ...settlement, cost: 1 }] : [settlement]);
      counted.open.splice(counted.open.indexOf(call), 1);
      counted.closed.push(call);
      return;
    }
    case "again": {
      const [open, closed] = [counted.open, counted.closed].map(
        (calls) => calls[one.pick % Math.max(1, calls.length)],
      );
      if (open !== undefined)
        expect((await ask(world, open.owner, [open.callId], open)).granted).toHaveLength(1);
      if (closed !== undefined)
        expect((await ask(world, closed.owner, [closed.callId], closed)).refusal).toBe("closed");
      return;
    }
    case "ensure": {
      const owner = cast.owners[one.owner] ?? "usr_";
      const campaignId = cast.campaigns[one.owner]?.[one.campaign] ?? null;
      const [callId, now] = [someCall(), await world.now()];
      const slot = {
        callId,
        owner,
        campaignId,
        phoneNumber: NUMBER,
        dialAt: now,
        dialBy: plusMillis(now, 15_000),
        nextLookAt: now,
      };
      await admission.ensure(slot, PRICE);
      counted.open.push({ callId, owner, campaignId, ensured: true });
      return;
    }
    case "top up":
      await admission.topUp(cast.owners[one.owner] ?? "usr_", 3 * PRICE, `reference ${one.reference}`);
      return;
    case "pass":
      for (const times of counted.dials.values()) times.length = 0;
      await world.pass(one.millis);
  }
}

async function askFor(world: AdmissionWorld, one: Extract<Step, { kind: "ask" }>, cast: Cast): Promise<void> {
  const { counted } = cast;
  const owner = cast.owners[one.owner] ?? "usr_";
  const campaignId = cast.campaigns[one.owner]?.[one.campaign] ?? null;
  const cap = CAPS[one.campaign] ?? null;
  const pace = PACES[one.campaign] ?? null;
  const calls = someCalls(one.count);
  const limits = { campaignId, maxConcurrentCalls: cap, maxCallsPerSecond: pace };
  const admitted = await ask(world, owner, calls, limits);
  const before = counted.open.filter((call) => call.owner === owner);
  const mine = before.filter((call) => call.campaignId === campaignId);
  const { granted, refusal } = admitted;
  expect(granted.map(({ callId }) => callId)).toEqual(calls.slice(0, granted.length));
  expect(refusal === null).toBe(granted.length === one.count);
  if (granted.length > 0) {
    expect(before.length + granted.length).toBeLessThanOrEqual(PLANS[one.owner]?.maxConcurrentCalls ?? 0);
    if (cap !== null) expect(mine.length + granted.length).toBeLessThanOrEqual(cap);
  }
  const dials = counted.dials.get(owner) ?? [];
  counted.dials.set(owner, [...dials, ...granted.map(({ dialAt }) => millisOf(dialAt))]);
  counted.open.push(...granted.map(({ callId }) => ({ callId, owner, campaignId, ensured: false })));
}

async function holds(
  world: AdmissionWorld,
  owner: OwnerId,
  plan: (typeof PLANS)[number] | undefined,
  counted: Counted,
): Promise<void> {
  const sums = { top_up: 0, reserve: 0, release: 0, charge: 0 };
  for (const { cause, amount } of await world.ledger(owner)) sums[cause] += amount;
  const open = counted.open.filter((call) => call.owner === owner);
  expect(await world.admission.account(owner)).toEqual({
    balance: sums.top_up - sums.charge,
    reserved: open.length * PRICE,
    liveCalls: open.length,
  });
  expect(sums.reserve - sums.release).toBe(open.length * PRICE);
  const dials = [...(counted.dials.get(owner) ?? [])].sort((a, b) => a - b);
  const interval = 1_000 / (plan?.maxCallsPerSecond ?? 1);
  for (const [index, at] of dials.slice(1).entries()) {
    // Whole milliseconds: two turns may each be rounded up by less than one.
    expect(at - (dials[index] ?? Number.NaN)).toBeGreaterThan(interval - 1);
  }
}
