import { describe, expect, it } from "vitest";
import { RingfoldError } from "../../client/errors.ts";
import { backoff, retryDelay } from "../../client/retries.ts";

describe("the wait", () => {
  it("doubles to 8 s and is random by half", () => {
    const longest = [500, 1_000, 2_000, 4_000, 8_000, 8_000];
    for (const [failures, most] of longest.entries()) {
      const waits = Array.from({ length: 200 }, () => backoff(failures));
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(most / 2);
      expect(Math.max(...waits)).toBeLessThanOrEqual(most);
      expect(new Set(waits).size).toBeGreaterThan(100);
    }
  });

  it("takes Retry-After as a date, too", () => {
    const at = new Date(Date.now() + 20_000).toUTCString();
    const answer = { status: 503, headers: new Headers({ "Retry-After": at }) };
    const delay = retryDelay(new RingfoldError({ method: "GET", path: "/" }, answer, null), true, 0);
    expect(delay).toBeGreaterThan(15_000);
    expect(delay).toBeLessThanOrEqual(20_000);
  });
});
