import { randomBytes } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, it } from "vitest";
import { secretId, signedHeaders } from "../../../infrastructure/webhook/signature.ts";
import { verifyBySeed } from "../../../simulation/campaigns/seed-verifier.ts";

const newSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;
const oldSecret = newSecret();
const nextSecret = newSecret();
const body = Buffer.from(
  JSON.stringify({ event: "call.ended", data: { name: "Zoë 🎉 日本", eventId: "e1" } }),
);
const message = { eventId: "e1", deliveryId: "dlv_1", attempt: 3, body };

function received(
  secrets: { current: string; next: string | null },
  nowMillis = Date.now(),
): Record<string, string> {
  const headers = signedHeaders(secrets, message, nowMillis);
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

describe("signedHeaders", () => {
  it("is accepted by the seed's six rules", () => {
    const now = Date.now();
    expect(verifyBySeed(oldSecret, received({ current: oldSecret, next: null }, now), body, now).status).toBe(
      200,
    );
  });

  it("is refused by the seed's rules with another secret, another body and six minutes later", () => {
    const now = Date.now();
    const headers = received({ current: oldSecret, next: null }, now);
    expect(verifyBySeed(nextSecret, headers, body, now).status).toBe(401);
    expect(verifyBySeed(oldSecret, headers, Buffer.concat([body, Buffer.from(" ")]), now).status).toBe(401);
    expect(verifyBySeed(oldSecret, headers, body, now + 300_000).status).toBe(200);
    expect(verifyBySeed(oldSecret, headers, body, now + 300_001).status).toBe(401);
  });

  it("is accepted by both official verifiers", () => {
    const headers = received({ current: oldSecret, next: null });
    expect(new StandardWebhook(oldSecret).verify(body, headers)).toMatchObject({ event: "call.ended" });
    expect(() => new SvixWebhook(oldSecret).verify(body, headers)).not.toThrow();
  });

  it("is accepted by both official verifiers with the old and the new secret during an overlap", () => {
    const headers = received({ current: oldSecret, next: nextSecret });
    for (const secret of [oldSecret, nextSecret]) {
      expect(new StandardWebhook(secret).verify(body, headers)).toBeDefined();
      expect(() => new SvixWebhook(secret).verify(body, headers)).not.toThrow();
    }
    expect(() => new StandardWebhook(newSecret()).verify(body, headers)).toThrow();
    expect(() => new SvixWebhook(newSecret()).verify(body, headers)).toThrow();
  });

  it("carries exactly one seed signature, the old secret's, and the new one's apart", () => {
    const now = Date.now();
    const headers = received({ current: oldSecret, next: nextSecret }, now);
    expect(verifyBySeed(oldSecret, headers, body, now).status).toBe(200);
    const next = { ...headers, "x-service-signature": headers["x-service-signature-next"] };
    expect(verifyBySeed(nextSecret, next, body, now).status).toBe(200);
  });

  it("has no second signature without an overlap", () => {
    expect(received({ current: oldSecret, next: null })).not.toHaveProperty("x-service-signature-next");
  });

  it("names event, delivery and attempt, and stamps both clocks", () => {
    expect(received({ current: oldSecret, next: null }, 1_790_000_000_999)).toMatchObject({
      "content-type": "application/json",
      "x-service-event-id": "e1",
      "webhook-id": "e1",
      "x-service-delivery-id": "dlv_1",
      "x-service-attempt": "3",
      "x-service-timestamp": "1790000000999",
      "webhook-timestamp": "1790000000",
    });
  });
});

describe("secretId", () => {
  it("tells secrets apart without showing any part of them", () => {
    expect(secretId(oldSecret)).toMatch(/^[0-9a-f]{12}$/);
    expect(secretId(oldSecret)).not.toBe(secretId(nextSecret));
  });
});
