import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import type { AttemptClass, AttemptOutcome } from "../../../domain/webhook/attempt-outcome.ts";
import { CLOSED_BREAKER } from "../../../domain/webhook/breaker.ts";
import { afterAttempt, type EndpointHealth } from "../../../domain/webhook/endpoint-health.ts";

const HOUR = 3_600_000;
const healthy: EndpointHealth = { breaker: CLOSED_BREAKER, silentSinceMillis: 0, exhausted: false };
const outcome = (of: AttemptClass, retryAfterMillis: number | null = null): AttemptOutcome => ({
  class: of,
  status: null,
  detail: null,
  retryAfterMillis,
});
const auto = (failures: number) => ({ trigger: "auto" as const, failures });

describe("afterAttempt", () => {
  it("is done with a delivery that arrived, and forgets what was before", () => {
    const ill = {
      breaker: { failures: 4, openUntilMillis: null, waitMillis: 30_000 },
      silentSinceMillis: 0,
      exhausted: true,
    };
    const verdict = afterAttempt(auto(3), ill, outcome("delivered"), 9_000, 0.5);
    expect(verdict).toMatchObject({ status: "delivered", failures: 3, retire: null });
    expect(verdict.health).toEqual({ breaker: CLOSED_BREAKER, silentSinceMillis: 9_000, exhausted: false });
  });

  it.each(["throttled", "redirect", "refused", "unreachable"] as const)(
    "counts %s as a failure and tries again",
    (of) => {
      expect(afterAttempt(auto(0), healthy, outcome(of), 0, 0.5)).toMatchObject({
        status: "retrying",
        failures: 1,
        nextAttemptAtMillis: 5_000,
        health: { breaker: { failures: 1 } },
      });
    },
  );

  it.each([
    ["gone", "gone"],
    ["blocked", "misconfigured"],
  ] as const)(
    "holds after %s and takes the endpoint out of use, without counting a failure",
    (of, retire) => {
      const verdict = afterAttempt(auto(2), healthy, outcome(of), 0, 0.5);
      expect(verdict).toMatchObject({ status: "held", failures: 2, retire, health: healthy });
    },
  );

  it("gives up after the twelfth failure and remembers that one ran out of attempts", () => {
    const verdict = afterAttempt(auto(11), healthy, outcome("refused"), HOUR, 0.5);
    expect(verdict).toMatchObject({
      status: "dead",
      failures: 12,
      retire: null,
      health: { exhausted: true },
    });
  });

  it("gives a manual replay one attempt, which disables nothing", () => {
    const verdict = afterAttempt(
      { trigger: "manual", failures: 0 },
      healthy,
      outcome("refused"),
      200 * HOUR,
      0.5,
    );
    expect(verdict).toMatchObject({ status: "dead", retire: null, health: { exhausted: false } });
  });

  it("disables only after 120 hours of silence and only when a delivery ran out of attempts", () => {
    const exhausted = { ...healthy, exhausted: true };
    const retire = (health: EndpointHealth, at: number) =>
      afterAttempt(auto(0), health, outcome("refused"), at, 0.5).retire;
    expect(retire(exhausted, 120 * HOUR - 1)).toBeNull();
    expect(retire(exhausted, 120 * HOUR)).toBe("failing");
    expect(retire(healthy, 500 * HOUR)).toBeNull();
  });

  const outcomes = fc.constantFrom<AttemptClass[]>(
    "delivered",
    "gone",
    "throttled",
    "refused",
    "unreachable",
    "blocked",
  );

  test.prop([fc.array(fc.tuple(outcomes, fc.nat({ max: 2 * HOUR })), { maxLength: 60 })])(
    "always ends a delivery after twelve failures at most, whatever comes in whatever order",
    (steps) => {
      let failures = 0;
      let health = healthy;
      let now = 0;
      for (const [of, pause] of steps) {
        now += pause;
        const verdict = afterAttempt(auto(failures), health, outcome(of, pause), now, 0.5);
        expect(verdict.failures).toBeLessThanOrEqual(12);
        expect(verdict.nextAttemptAtMillis === null).toBe(
          verdict.status === "delivered" || verdict.status === "dead" || of === "gone" || of === "blocked",
        );
        if (verdict.status === "delivered" || verdict.status === "dead") return;
        ({ failures, health } = verdict);
      }
    },
  );
});
