import { expect, it } from "vitest";
import { createCallDialing } from "../../../application/call/call-dialing.ts";
import { createCarrierHealth } from "../../../application/call/health/carrier-health.ts";
import type { RefusedByPolicy } from "../../../domain/admission/grants.ts";
import type { DialToJudge } from "../../../domain/admission/requests.ts";
import type { CallRequested } from "../../../domain/call/events.ts";
import { type ListStanding, NO_LISTS } from "../../../domain/policy/list-age.ts";
import type { Policy, PolicyEvidence } from "../../../domain/policy/policy.ts";
import { type Instant, plusMillis } from "../../../domain/shared/instant.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { callRequest } from "../../projections/example-events.ts";
import { oneCarrier } from "../../support/one-carrier.ts";
import { CALLER, engineProcess, OWNER, QUIET_CARRIER, sharedStores, until } from "../engine-world.ts";

const POLICY: Policy = {
  callableHours: null,
  attemptsPerNumber: { day: 2 },
  oneCallAtATime: true,
  exceptSingleCalls: false,
};

type Evidence = {
  readonly version: number;
  readonly age: number;
  readonly checks?: PolicyEvidence["checks"];
};
type Given = {
  readonly inForce: number | null;
  readonly refuses?: boolean;
  readonly lists?: ListStanding;
};

/** A dial whose policy the admission would refuse now; `inForce`: the version that the process knows. */
function world({ inForce, refuses = true, lists = NO_LISTS }: Given) {
  const stores = sharedStores();
  const { calls } = engineProcess(stores, { works: false }).aggregates;
  const placed: string[] = [];
  const judged: DialToJudge[] = [];
  const dialing = createCallDialing({
    calls,
    carrierHealth: createCarrierHealth(),
    pinnedConversations: { read: async () => null },
    clock: stores.clock,
    logger: silentLogger,
    policies: {
      inForce: async () => (inForce === null ? null : { version: inForce, policy: POLICY }),
    },
    lists: { standing: async () => lists },
    admission: {
      ...stores.admission,
      judge: async (dial): Promise<RefusedByPolicy | null> => {
        judged.push(dial);
        const refusal = {
          rule: "attemptsPerNumber",
          value: 2,
          limit: "2/day",
          until: null,
          heldBy: null,
        } as const;
        const at = stores.clock.now();
        const { callId } = dial;
        return refuses ? { callId, policyVersion: inForce ?? 0, judgedAt: at, refusals: [refusal] } : null;
      },
    },
    carriers: oneCarrier({
      ...QUIET_CARRIER,
      placeCall: async ({ callId }) => {
        placed.push(callId);
        return { kind: "accepted", carrierRef: "ref" };
      },
    }),
  });
  /** `evidence`: version and age in milliseconds; null: there was no policy at the admission. */
  const dial = async (evidence: Evidence | null, changes: Partial<CallRequested["data"]> = {}) => {
    const now = stores.clock.now();
    const callId = "call_1";
    const { data } = callRequest({
      callId,
      owner: OWNER,
      campaignId: null,
      contactId: null,
      attempt: 1,
      at: now,
    });
    const request: CallRequested["data"] = {
      ...data,
      dialBy: plusMillis(now, 15_000),
      ...(evidence === null ? {} : { evidence: evidenceOf(evidence, plusMillis(now, -evidence.age)) }),
      ...changes,
    };
    const origin = { ...CALLER, causationId: null };
    const begun = dialing.begin(request, origin, { expectNew: true, suppressed: false });
    const events = (await until(stores, begun))?.handled.events ?? [];
    await until(stores, dialing.allHandedOver());
    return { judged: judged.length, asked: judged[0], placed: placed.length, last: events.at(-1) };
  };
  return { dial };
}

function evidenceOf({ version, checks = [] }: Evidence, judgedAt: Instant): PolicyEvidence {
  return { policyVersion: version, judgedAt, checks, zones: null };
}

it.each([
  ["there is no policy", null, null, 0],
  ["the policy is the one of the admission, a second ago", 1, { version: 1, age: 1_000 }, 0],
  ["the judgement is older than a second", 1, { version: 1, age: 1_001 }, 1],
  ["the judgement is from the future", 1, { version: 1, age: -1_001 }, 1],
  ["the policy has another version", 2, { version: 1, age: 0 }, 1],
  ["the first policy came after the admission", 1, null, 1],
])("a dial is judged again or not: %s", async (_when, inForce, evidence, times) => {
  const { dial } = world({ inForce, refuses: false });
  expect(await dial(evidence)).toMatchObject({
    judged: times,
    placed: 1,
    last: { type: "CallDialingBegan" },
  });
});

const DAY: Instant = "2026-08-20T00:00:00.000Z";
const byLists = (value: Instant | null) => ({
  ...{ version: 1, age: 0 },
  checks: [{ rule: "listAge", value, limit: 30 } as const],
});

it.each([
  ["the lists are those of the admission", { oldestAsOf: DAY }, 0],
  ["a list is newer than the judgement", { oldestAsOf: plusMillis(DAY, 1) }, 1],
  ["the last list is not active any more", { oldestAsOf: null }, 1],
])("a dial that was judged by the age of lists is judged again or not: %s", async (_when, lists, times) => {
  const { dial } = world({ inForce: 1, refuses: false, lists: { ...lists, isBehind: false } });
  expect((await dial(byLists(DAY))).judged).toBe(times);
});

it("nobody is rung while a list is older than the log says, also without a policy", async () => {
  const lists = { oldestAsOf: DAY, isBehind: true };
  for (const inForce of [null, 1]) {
    const { judged, placed, last } = await world({ inForce, refuses: false, lists }).dial(byLists(DAY));
    expect([judged, placed]).toEqual([0, 0]);
    expect(last).toMatchObject({
      data: { endReason: "not_placed", error: { message: expect.stringMatching(/: listAge$/) } },
    });
  }
});

it("is judged again by the consent of the call, or of the contact's evidence", async () => {
  const consent = { source: "form", at: DAY, expiresAt: plusMillis(DAY, 1) };
  const { asked } = await world({ inForce: 2, refuses: false }).dial(null, { consent });
  expect(asked).toMatchObject({ isSingle: true, consent: { at: DAY, expiresAt: consent.expiresAt } });
  const of = async (checks: PolicyEvidence["checks"]) => {
    const ofCampaign = { campaignId: "cmp_1", contactId: "ctc_1" } as const;
    const { dial } = world({ inForce: 2, refuses: false });
    return (await dial({ version: 1, age: 0, checks }, ofCampaign)).asked?.consent;
  };
  expect(await of([{ rule: "consent", value: DAY, limit: null }])).toEqual({ at: DAY });
  expect(await of([{ rule: "consent", value: DAY, limit: consent.expiresAt }])).toEqual({
    ...{ at: DAY, expiresAt: consent.expiresAt },
  });
  expect(await of([{ rule: "oneCallAtATime", value: 0, limit: 1 }])).toBeNull();
});

it("a dial that the policy refuses now ends as not placed, and says by which rule; nobody is rung", async () => {
  const { dial } = world({ inForce: 2 });
  const { judged, placed, last } = await dial({ version: 1, age: 0 });
  expect([judged, placed]).toEqual([1, 0]);
  expect(last).toMatchObject({
    type: "CallFailed",
    data: {
      endReason: "not_placed",
      cost: 0,
      error: { message: "The owner's policy does not allow it now: attemptsPerNumber" },
    },
  });
});
