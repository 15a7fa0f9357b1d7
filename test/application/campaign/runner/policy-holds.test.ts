import { describe, expect, it } from "vitest";
import {
  createEndedCalls,
  createHoldPace,
  createLeftOut,
  NO_HOLDS,
  policyHolds,
} from "../../../../application/campaign/runner/policy-holds.ts";
import type { PolicyInForce, PolicyRefusal } from "../../../../domain/policy/policy.ts";
import type { CallId, ContactId } from "../../../../domain/shared/ids.ts";

const POLICY: PolicyInForce = {
  version: 3,
  policy: {
    callableHours: null,
    attemptsPerNumber: { day: 1 },
    oneCallAtATime: true,
    exceptSingleCalls: false,
  },
};
const TOMORROW = "2026-09-02T00:00:00.000Z";

const cap = { rule: "attemptsPerNumber", value: 1, limit: "1/day", until: TOMORROW, heldBy: null } as const;
const inCall = { rule: "oneCallAtATime", value: 1, limit: 1, until: null, heldBy: "call_9" } as const;
const hours = {
  rule: "callableHours",
  value: null,
  limit: null,
  until: TOMORROW,
  heldBy: null,
} as const;
const unasked = { rule: "consent", value: null, limit: null, until: null, heldBy: null } as const;
const oldLists = { rule: "listAge", value: null, limit: 30, until: null, heldBy: null } as const;
const nowhere = { rule: "zone_unknown", value: null, limit: null, until: null, heldBy: null } as const;

function refused(contactId: ContactId, refusals: readonly PolicyRefusal[], policyVersion = 3) {
  const callId: CallId = `call_of_${contactId}`;
  return { contactId, callId, policyVersion, judgedAt: "2026-09-01T10:00:00.000Z" as const, refusals };
}

function open() {
  const time = { millis: 0 };
  const clock = { monotonicMillis: () => time.millis };
  const ended = createEndedCalls();
  const leftOut = createLeftOut(clock, ended);
  const holdPace = createHoldPace(clock);
  return { time, ended, leftOut, holdPace, campaign: { owner: "usr_1", leftOut } as const };
}

describe("whom the admission refused by the policy", () => {
  it("is held until the cap has room, or while that call goes on, or skipped when nobody knows the zone", () => {
    const { holdPace, campaign, leftOut } = open();
    const all = [
      refused("ctc_1", [inCall, cap]),
      refused("ctc_2", [inCall]),
      refused("ctc_3", [nowhere]),
      refused("ctc_4", [cap, hours]),
    ];
    const { held, unknownZone } = policyHolds({ holdPace }, campaign, all, POLICY);
    expect(
      held.map(({ contactId, rule, until, heldBy, policyVersion }) => [
        contactId,
        rule,
        until,
        heldBy,
        policyVersion,
      ]),
    ).toEqual([
      ["ctc_1", "attemptsPerNumber", TOMORROW, null, 3],
      ["ctc_2", "oneCallAtATime", null, "call_9", 3],
      ["ctc_4", "attemptsPerNumber", TOMORROW, null, 3],
    ]);
    expect(unknownZone).toEqual(["ctc_3"]);
    expect(["ctc_1", "ctc_2", "ctc_3", "ctc_4"].map((id) => leftOut.has(id as ContactId))).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  it("is skipped without consent, whatever else refuses it", () => {
    const { holdPace, campaign } = open();
    const all = [refused("ctc_1", [unasked]), refused("ctc_2", [unasked, cap, nowhere, oldLists])];
    const holds = policyHolds({ holdPace }, campaign, all, POLICY);
    expect(holds).toEqual({ ...NO_HOLDS, noConsent: ["ctc_1", "ctc_2"] });
  });

  it("is left out in memory where no event can say why: for 30 s, or 1 s for hours, for lists and for a newer policy", () => {
    const { time, holdPace, campaign, leftOut } = open();
    const all = [
      refused("ctc_1", [{ ...cap, until: null }]),
      refused("ctc_2", [{ ...inCall, heldBy: null }]),
      refused("ctc_3", [hours]),
      refused("ctc_4", [nowhere], 4),
      refused("ctc_5", [hours, oldLists]),
    ];
    expect(policyHolds({ holdPace }, campaign, all, POLICY)).toEqual(NO_HOLDS);
    const out = () =>
      (["ctc_1", "ctc_2", "ctc_3", "ctc_4", "ctc_5"] as const).filter((id) => leftOut.has(id));
    expect([out().length, leftOut.millisLeft()]).toEqual([5, 1_000]);
    time.millis = 1_000;
    expect([out(), leftOut.millisLeft()]).toEqual([["ctc_1", "ctc_2"], 29_000]);
    time.millis = 30_000;
    expect([out(), leftOut.millisLeft()]).toEqual([[], null]);
  });

  it("is asked for a second after the call that held it, also when the feed told of its end before", () => {
    const { time, ended, holdPace, campaign, leftOut } = open();
    policyHolds({ holdPace }, campaign, [refused("ctc_1", [inCall])], POLICY);
    expect(leftOut.millisLeft()).toBe(30_000);
    expect([leftOut.callEnded("call_8"), leftOut.callEnded("call_9"), leftOut.callEnded("call_9")]).toEqual([
      false,
      true,
      false,
    ]);
    expect(leftOut.millisLeft()).toBe(1_000);
    time.millis = 2_000;
    ended.set("call_9", true);
    policyHolds({ holdPace }, campaign, [refused("ctc_2", [inCall])], POLICY);
    expect(leftOut.millisLeft()).toBe(1_000);
    leftOut.clear();
    expect([leftOut.has("ctc_2"), leftOut.millisLeft()]).toEqual([false, null]);
  });

  it("are no more than 2,000 a second and owner; the others come a second later", () => {
    const { time, holdPace, campaign, leftOut } = open();
    const batch = (from: number) =>
      Array.from({ length: 1_500 }, (_, index) => refused(`ctc_${from + index}`, [cap]));
    const held = (from: number) => policyHolds({ holdPace }, campaign, batch(from), POLICY).held.length;
    expect([held(0), held(1_500)]).toEqual([1_500, 500]);
    expect([leftOut.has("ctc_1999"), leftOut.has("ctc_2000")]).toEqual([false, true]);
    const other = { owner: "usr_2", leftOut } as const;
    expect(policyHolds({ holdPace }, other, batch(0), POLICY).held.length).toBe(1_500);
    time.millis = 1_000;
    expect(held(2_000)).toBe(1_500);
  });
});
