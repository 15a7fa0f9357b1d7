import { describe, expect, it } from "vitest";
import { RETRIED_END_REASONS } from "../../../domain/call/end-reason.ts";
import {
  attemptBudget,
  type FailedAttempt,
  maxAttempts,
  type RetryRules,
  retryAfter,
} from "../../../domain/campaign/retry-policy.ts";
import { at } from "./example-campaign.ts";

const rules = { maxRetries: 2, retryIntervalMins: 10, retryOn: RETRIED_END_REASONS, window: null };
const attempt = {
  endReason: "busy",
  endedAt: at(0),
  counted: 1,
  notPlaced: 0,
  assistantErrors: 0,
  timezone: "Europe/Istanbul",
  failuresOf: () => 1,
} as const;
const retryAt = (given: RetryRules, failed: FailedAttempt) => retryAfter(given, failed).retryAt;

describe("the retry policy", () => {
  it("allows the first attempt and its retries", () => {
    expect(attemptBudget(rules)).toBe(3);
    expect(attemptBudget({ ...rules, maxRetries: null })).toBe(4);
    expect(maxAttempts(rules, 2)).toBe(5);
  });
  it("repeats at the interval after the end, until the budget is used up", () => {
    expect(retryAt(rules, attempt)).toBe(at(600));
    expect(retryAt(rules, { ...attempt, counted: 2 })).toBe(at(600));
    expect(retryAt(rules, { ...attempt, counted: 3 })).toBeNull();
    expect(retryAt({ ...rules, retryIntervalMins: null }, attempt)).toBe(at(300));
  });
  it("repeats what the carrier never had after 30 s, ten times, whatever is left of the budget", () => {
    const unplaced = { ...attempt, endReason: "not_placed", counted: 3 } as const;
    expect(retryAt(rules, { ...unplaced, notPlaced: 1 })).toBe(at(30));
    expect(retryAt(rules, { ...unplaced, notPlaced: 10 })).toBe(at(30));
    expect(retryAt(rules, { ...unplaced, notPlaced: 11 })).toBeNull();
  });
  it("repeats what the carrier never had, whatever reasons the campaign names", () => {
    const unplaced = { ...attempt, endReason: "not_placed", notPlaced: 1 } as const;
    for (const retryOn of [[], ["busy"]] as const)
      expect(retryAt({ ...rules, retryOn }, unplaced), retryOn.join()).toBe(at(30));
    expect(retryAt({ ...rules, retryOn: [] }, attempt)).toBeNull();
    expect(retryAt({ ...rules, retryOn: [] }, { ...unplaced, notPlaced: 11 })).toBeNull();
  });
  it("repeats once what the assistant failed in, whatever the budget says", () => {
    const failed = { ...attempt, endReason: "assistant_error", counted: 3, assistantErrors: 1 } as const;
    expect(retryAt(rules, failed)).toBe(at(600));
    expect(retryAt({ ...rules, maxRetries: 0 }, { ...failed, counted: 1 })).toBe(at(600));
    expect(retryAt({ ...rules, maxRetries: 9 }, { ...failed, assistantErrors: 2 })).toBeNull();
    expect(retryAt({ ...rules, retryOn: ["busy"] }, failed)).toBeNull();
  });
  it("repeats only the reasons that the campaign names", () => {
    expect(retryAt({ ...rules, retryOn: ["busy"] }, attempt)).toBe(at(600));
    expect(retryAt({ ...rules, retryOn: ["no_answer"] }, attempt)).toBeNull();
  });
});
