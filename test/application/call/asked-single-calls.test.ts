import { describe, expect, it } from "vitest";
import type { EligibilityQuestion } from "../../../application/ports/eligibility.ts";
import type { EligibilityAnswer } from "../../../domain/policy/eligibility-answer.ts";
import type { Policy } from "../../../domain/policy/policy.ts";
import { CALLER, engineProcess, OWNER, openEvents, sharedStores, until } from "../engine-world.ts";
import { campaignRequest, SINGLE_CALL } from "../example-request.ts";

const URL = "https://crm.example.com/may-call";
const ASKS: Policy = {
  ...{ callableHours: null, attemptsPerNumber: null, oneCallAtATime: true, exceptSingleCalls: false },
  eligibility: { url: URL, timeoutMs: 2_000 },
};
const ALLOWED: EligibilityAnswer = { kind: "allowed" };

async function world(answer: EligibilityAnswer, changes: Partial<Policy> = {}, credits = 100) {
  const asked: EligibilityQuestion[] = [];
  const options = {
    credits,
    answerOf: (question: EligibilityQuestion) => {
      asked.push(question);
      return answer;
    },
  };
  const stores = sharedStores(options);
  await stores.policies.store(OWNER, 4, { ...ASKS, ...changes });
  const one = engineProcess(stores, options);
  return {
    stores,
    one,
    asked,
    call: (metadata = {}) =>
      until(stores, one.useCases.startOutboundCall(CALLER, { ...SINGLE_CALL, metadata })),
    requests: () => openEvents(stores).filter(({ type }) => type === "CallRequested"),
  };
}

describe("a single call", () => {
  it("is asked about within the request, and says so in its evidence", async () => {
    const { call, asked, requests } = await world(ALLOWED);
    expect((await call({ ticket: 7 })).ok).toBe(true);
    expect(asked).toEqual([
      {
        ...{
          eventId: expect.any(String),
          occurredAt: "2026-09-01T10:00:00.000Z",
          phoneNumber: SINGLE_CALL.to,
        },
        ...{ name: null, customData: null, externalId: null, campaignId: null, contactId: null, attempt: 1 },
        metadata: { ticket: 7 },
      },
    ]);
    const eligibility = { eventId: asked[0]?.eventId, askedAt: asked[0]?.occurredAt, millis: 0 };
    expect(requests()[0]?.data["evidence"]).toMatchObject({ policyVersion: 4, eligibility });
  });

  it("that the address refuses is POLICY_REFUSED, with its words and its time", async () => {
    const until = "2026-09-02T10:00:00.000Z";
    const { call, stores } = await world({ kind: "refused", reason: "has paid", until });
    expect(await call()).toEqual({
      ok: false,
      refusal: {
        code: "POLICY_REFUSED",
        message: "The policy (version 4) does not allow it; see details",
        details: [
          {
            path: ["eligibility"],
            message: "Your address does not allow it: has paid; allowed from 2026-09-02T10:00Z on",
            until,
          },
        ],
      },
    });
    expect(stores.database.events).toEqual([]);
  });

  it("of which nothing is said is ELIGIBILITY_UNAVAILABLE, and nothing is stored", async () => {
    const { call, stores } = await world({ kind: "unavailable", why: "timeout" });
    const outcome = await call();
    expect(outcome.ok ? "made" : [outcome.refusal.code, outcome.refusal.details]).toEqual([
      "ELIGIBILITY_UNAVAILABLE",
      [],
    ]);
    expect([stores.database.events, (await stores.admission.account(OWNER)).liveCalls]).toEqual([[], 0]);
  });

  it("is asked about after the other rules and the do-not-call list, and before credits", async () => {
    const listed = await world({ kind: "unavailable", why: "timeout" });
    listed.stores.directory.suppress(OWNER, SINGLE_CALL.to);
    const closed = await world({ kind: "unavailable", why: "timeout" }, { requireConsent: true });
    const poor = await world({ kind: "refused", reason: null, until: null }, {}, 0);
    const codes: unknown[] = [];
    for (const { call } of [listed, closed, poor]) {
      const outcome = await call();
      codes.push(
        outcome.ok ? "made" : [outcome.refusal.code, ...outcome.refusal.details.map(({ path }) => path[0])],
      );
    }
    expect(codes).toEqual([
      ["RECIPIENT_SUPPRESSED"],
      ["POLICY_REFUSED", "consent"],
      ["POLICY_REFUSED", "eligibility"],
    ]);
    expect([listed.asked.length, closed.asked.length, poor.asked.length]).toEqual([0, 0, 1]);
  });

  it("is not asked about where single calls are excepted", async () => {
    const { call, asked } = await world({ kind: "unavailable", why: "timeout" }, { exceptSingleCalls: true });
    expect([(await call()).ok, asked]).toEqual([true, []]);
  });

  it("to try a campaign is asked about as well, by the policy's address", async () => {
    const { stores, one, asked } = await world({ kind: "refused", reason: null, until: null });
    await until(stores, one.useCases.createCampaign(CALLER, campaignRequest(1)));
    const request = {
      reservedCallId: null,
      to: SINGLE_CALL.to,
      campaignId: "cmp_1",
      contactId: null,
    } as const;
    const outcome = await until(stores, one.useCases.startTestCall(CALLER, request));
    expect(outcome.ok ? "made" : outcome.refusal.code).toBe("POLICY_REFUSED");
    expect(asked.map(({ campaignId, phoneNumber }) => [campaignId, phoneNumber])).toEqual([
      [null, SINGLE_CALL.to],
    ]);
  });

  it("that a newer policy wants to be asked about, which this process does not know yet, is not made", async () => {
    const { stores, call, asked } = await world(ALLOWED);
    const { eligibility: _, ...before } = ASKS;
    stores.policies.inForce = async () => ({ version: 3, policy: before });
    const outcome = await call();
    expect(outcome.ok ? "made" : outcome.refusal.code).toBe("ELIGIBILITY_UNAVAILABLE");
    expect([asked, stores.database.events]).toEqual([[], []]);
  });
});
