import { expect, it } from "vitest";
import { createCallDialing } from "../../../application/call/call-dialing.ts";
import { createCarrierHealth } from "../../../application/call/health/carrier-health.ts";
import type { RefusedByPolicy } from "../../../domain/admission/grants.ts";
import type { CallRequested } from "../../../domain/call/events.ts";
import type { Policy, PolicyEvidence } from "../../../domain/policy/policy.ts";
import { plusMillis } from "../../../domain/shared/instant.ts";
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

/** A dial whose policy the admission would refuse now; `inForce`: the version that the process knows. */
function world({ inForce, refuses = true }: { readonly inForce: number | null; readonly refuses?: boolean }) {
  const stores = sharedStores();
  const { calls } = engineProcess(stores, { works: false }).aggregates;
  const placed: string[] = [];
  let judged = 0;
  const dialing = createCallDialing({
    calls,
    carrierHealth: createCarrierHealth(),
    pinnedConversations: { read: async () => null },
    clock: stores.clock,
    logger: silentLogger,
    policies: {
      inForce: async () => (inForce === null ? null : { version: inForce, policy: POLICY }),
    },
    admission: {
      ...stores.admission,
      judge: async ({ callId }): Promise<RefusedByPolicy | null> => {
        judged += 1;
        const refusal = {
          rule: "attemptsPerNumber",
          value: 2,
          limit: "2/day",
          until: null,
          heldBy: null,
        } as const;
        const at = stores.clock.now();
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
  const dial = async (evidence: { readonly version: number; readonly age: number } | null) => {
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
      ...(evidence === null
        ? {}
        : { evidence: evidenceOf(evidence.version, plusMillis(now, -evidence.age)) }),
    };
    const origin = { ...CALLER, causationId: null };
    const begun = dialing.begin(request, origin, { expectNew: true, suppressed: false });
    const events = (await until(stores, begun))?.handled.events ?? [];
    await until(stores, dialing.allHandedOver());
    return { judged, placed: placed.length, last: events.at(-1) };
  };
  return { dial };
}

function evidenceOf(policyVersion: number, judgedAt: PolicyEvidence["judgedAt"]): PolicyEvidence {
  return { policyVersion, judgedAt, checks: [], zones: null };
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
