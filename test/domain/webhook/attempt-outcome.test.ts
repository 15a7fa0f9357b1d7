import { describe, expect, it } from "vitest";
import { isFailure, outcomeOf, parseRetryAfter } from "../../../domain/webhook/attempt-outcome.ts";

const answer = (status: number, headers: Record<string, string> = {}) =>
  outcomeOf({ kind: "answered", status, headers }, 0);

describe("outcomeOf", () => {
  it.each([
    [200, "delivered"],
    [204, "delivered"],
    [299, "delivered"],
    [410, "gone"],
    [300, "redirect"],
    [307, "redirect"],
    [400, "refused"],
    [404, "refused"],
    [429, "refused"],
    [500, "refused"],
    [503, "refused"],
    [599, "refused"],
  ])("%i without Retry-After is %s", (status, expected) => expect(answer(status).class).toBe(expected));

  it.each([429, 503])("%i with Retry-After is throttled", (status) => {
    expect(answer(status, { "retry-after": "7" })).toMatchObject({
      class: "throttled",
      retryAfterMillis: 7_000,
    });
  });

  it("takes Retry-After of no other status", () => {
    expect(answer(500, { "retry-after": "7" })).toMatchObject({ class: "refused", retryAfterMillis: null });
  });

  it("names the host of a redirect without path and query", () => {
    const { detail } = answer(302, { location: "http://10.0.0.1:81/a?token=x" });
    expect(detail).toBe("redirect to 10.0.0.1:81");
  });

  it("is unreachable with its phase when there was no answer", () => {
    const outcome = outcomeOf({ kind: "failed", phase: "tls", reason: "CERT_HAS_EXPIRED" }, 0);
    expect(outcome).toMatchObject({ class: "unreachable", status: null, detail: "tls: CERT_HAS_EXPIRED" });
  });

  it("is blocked when the address is not allowed, which is no failure of the endpoint", () => {
    const outcome = outcomeOf({ kind: "blocked", reason: "address_not_allowed" }, 0);
    expect(outcome.class).toBe("blocked");
    expect(isFailure("blocked")).toBe(false);
  });
});

describe("parseRetryAfter", () => {
  const now = Date.parse("2026-09-01T10:00:00Z");

  it.each([
    ["0", 0],
    ["120", 120_000],
    ["999999", 3_600_000],
    ["Tue, 01 Sep 2026 10:01:00 GMT", 60_000],
    ["Tue, 01 Sep 2026 09:00:00 GMT", 0],
    ["Wed, 02 Sep 2026 10:00:00 GMT", 3_600_000],
    ["soon", null],
    ["-5", null],
    ["1.5", null],
    ["", null],
  ])("%s gives %s", (value, expected) => expect(parseRetryAfter(value, now)).toBe(expected));
});
