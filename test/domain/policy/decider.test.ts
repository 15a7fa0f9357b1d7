import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { policyDecider } from "../../../domain/policy/decider.ts";
import type { PolicyEvent } from "../../../domain/policy/events.ts";
import type { Policy } from "../../../domain/policy/policy.ts";
import { canonicalJson } from "../../../domain/shared/canonical-json.ts";
import { DomainError } from "../../../domain/shared/errors.ts";
import { instantFromMillis } from "../../../domain/shared/instant.ts";
import { specOf } from "../../support/decider-spec.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../property-runs.ts";

const OWNER = "usr_1";
const NOON = "2026-09-01T12:00:00.000Z";
const OFF: Policy = {
  callableHours: null,
  attemptsPerNumber: null,
  oneCallAtATime: false,
  exceptSingleCalls: false,
};
const STRICT: Policy = {
  callableHours: { start: 9, end: 20, days: [1, 2, 3, 4, 5] },
  attemptsPerNumber: { day: 2, week: 5 },
  oneCallAtATime: true,
  exceptSingleCalls: false,
};

const given = specOf(policyDecider);
const put = (policy: Policy, expectedVersion: number | null = null, now: typeof NOON = NOON) =>
  ({ type: "ChangePolicy", owner: OWNER, policy, expectedVersion, now }) as const;
const changed = (version: number, policy: Policy, at: PolicyEvent["data"]["at"] = NOON): PolicyEvent => ({
  type: "PolicyChanged",
  data: { owner: OWNER, version, policy, at },
});

describe("the policy of an owner", () => {
  it("has version 1 first, then one more with each change", () => {
    given().when(put(OFF)).thenEvents(changed(1, OFF));
    given(changed(1, OFF)).when(put(STRICT)).thenEvents(changed(2, STRICT));
    given(changed(1, OFF), changed(2, STRICT)).when(put(OFF)).thenEvents(changed(3, OFF));
  });

  it("does not change when it is given again, in whatever order its fields stand", () => {
    const reordered: Policy = {
      exceptSingleCalls: false,
      oneCallAtATime: true,
      attemptsPerNumber: { week: 5, day: 2 },
      callableHours: { end: 20, days: [1, 2, 3, 4, 5], start: 9 },
    };
    given(changed(1, STRICT)).when(put(reordered)).thenEvents();
    given(changed(1, OFF), changed(2, STRICT)).when(put(STRICT, 1)).thenEvents();
  });

  it("is not replaced by somebody who has seen another version", () => {
    given(changed(1, OFF)).when(put(STRICT, 0)).thenRefused("policy.changed", { version: 1 });
    given().when(put(OFF, 1)).thenRefused("policy.changed", { version: 0 });
    given(changed(1, OFF)).when(put(STRICT, 1)).thenEvents(changed(2, STRICT));
    given().when(put(OFF, 0)).thenEvents(changed(1, OFF));
  });

  it("is changed at a time that is not before its latest change", () => {
    const later = "2026-09-01T12:00:05.000Z";
    given(changed(1, OFF, later))
      .when(put(STRICT))
      .thenEvents(changed(2, STRICT, later));
  });

  const policies = fc.record<Policy>({
    callableHours: fc.constantFrom(null, { start: 9, end: 20 }, { start: 22, end: 6, days: [1, 7] }),
    attemptsPerNumber: fc.constantFrom(null, { day: 1 }, { day: 1, month: 9 }),
    oneCallAtATime: fc.boolean(),
    exceptSingleCalls: fc.boolean(),
  });
  const commands = fc.array(
    fc.record({
      policy: policies,
      expected: fc.option(fc.integer({ min: -1, max: 1 })),
      seconds: fc.integer({ min: -5, max: 5 }),
    }),
    { maxLength: 30 },
  );
  test.prop([commands], { numRuns: PROPERTY_RUNS })(
    "whatever is asked for: versions without a gap, each unlike the one before, in order of time, and the last that was taken is in force",
    (asked) => {
      const log: PolicyEvent[] = [];
      let millis = Date.parse(NOON);
      for (const { policy, expected, seconds } of asked) {
        millis += seconds * 1_000;
        const version = log.length;
        const before = log.at(-1)?.data.policy ?? null;
        const command = { policy, expectedVersion: expected === null ? null : version + expected };
        const decide = () =>
          policyDecider.decide(
            { type: "ChangePolicy", owner: OWNER, ...command, now: instantFromMillis(millis) },
            log.reduce(policyDecider.evolve, policyDecider.initialState()),
          );
        const isSame = before !== null && canonicalJson(before) === canonicalJson(policy);
        if (!isSame && (expected ?? 0) !== 0) expect(decide).toThrow(DomainError);
        else log.push(...decide());
        expect(log.length).toBe(isSame || (expected ?? 0) !== 0 ? version : version + 1);
        expect(log.at(-1)?.data.policy ?? null).toEqual(log.length > version ? policy : before);
      }
      expect(log.map(({ data }) => data.version)).toEqual(log.map((_event, place) => place + 1));
      expect(log.map(({ data }) => data.at)).toEqual(log.map(({ data }) => data.at).toSorted());
    },
    PROPERTY_TIMEOUT.timeout,
  );
});
