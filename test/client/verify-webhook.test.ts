import { createHmac } from "node:crypto";
import { fc, it as property } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { type ReceivedWebhook, verifyWebhook } from "../../client/webhooks.ts";
import { verifyBySeed } from "../../simulation/campaigns/seed-verifier.ts";

const SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const NOW = 1_800_000_000_000;
const BODY = JSON.stringify({ event: "call.ended", data: { callId: "call_1", contactName: "Ayşe" } });

const sign = (secret: string, timestamp: string, body: string) =>
  `sha256=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`;

type Headers = Record<string, string | string[] | undefined>;

function signed(headers: Headers = {}, changes: Partial<ReceivedWebhook> = {}): ReceivedWebhook {
  const timestamp = String(NOW);
  const own = { "x-service-signature": sign(SECRET, timestamp, BODY), "x-service-timestamp": timestamp };
  return { secret: SECRET, now: NOW, body: BODY, headers: { ...own, ...headers }, ...changes };
}

const at = (timestamp: string): Headers => ({
  "x-service-timestamp": timestamp,
  "x-service-signature": sign(SECRET, timestamp, BODY),
});
const good = sign(SECRET, String(NOW), BODY);

describe("a webhook is taken", () => {
  it.each<[string, ReceivedWebhook]>([
    ["as it is sent", signed()],
    ["with its body as bytes", signed({}, { body: Buffer.from(BODY) })],
    ["with header names in any case", signed({}, { headers: upperCase(signed().headers) })],
    ["with headers as fetch gives them", signed({}, { headers: new Headers(upperCase(signed().headers)) })],
    ["5 minutes late", signed(at(String(NOW - 300_000)))],
    ["5 minutes early", signed(at(String(NOW + 300_000)))],
    [
      "by the new secret while the one before it still signs",
      signed({
        "x-service-signature": sign("whsec_old", String(NOW), BODY),
        "x-service-signature-next": good,
      }),
    ],
  ])("%s", async (_how, request) => {
    expect(await verifyWebhook(request)).toEqual(JSON.parse(BODY));
  });
});

describe("a webhook is refused", () => {
  it.each<[string, string, ReceivedWebhook]>([
    ["missing_header", "without its signature", signed({ "x-service-signature": undefined })],
    ["missing_header", "without its timestamp", signed({ "x-service-timestamp": undefined })],
    ["missing_header", "with two signatures", signed({ "X-Service-Signature": good })],
    ["missing_header", "with a list of signatures", signed({ "x-service-signature": [good, good] })],
    [
      "missing_header",
      "with the coming signature alone",
      signed({ "x-service-signature": undefined, "x-service-signature-next": good }),
    ],
    ["timestamp_too_far_off", "more than 5 minutes late", signed(at(String(NOW - 300_001)))],
    ["timestamp_too_far_off", "more than 5 minutes early", signed(at(String(NOW + 300_001)))],
    ["timestamp_too_far_off", "with a timestamp that is none", signed(at("today"))],
    ["timestamp_too_far_off", "with an empty timestamp", signed(at(""))],
    ["wrong_signature", "with another timestamp", signed({ "x-service-timestamp": String(NOW + 1) })],
    ["wrong_signature", "with another body", signed({}, { body: `${BODY} ` })],
    ["wrong_signature", "with another secret", signed({}, { secret: `${SECRET}x` })],
    ["wrong_signature", "in capital letters", signed({ "x-service-signature": good.toUpperCase() })],
    ["wrong_signature", "without sha256=", signed({ "x-service-signature": good.slice(7) })],
    ["wrong_signature", "with half a signature", signed({ "x-service-signature": good.slice(0, 39) })],
    ["wrong_signature", "with a signature and more", signed({ "x-service-signature": `${good}00` })],
    ["wrong_signature", "with an empty signature", signed({ "x-service-signature": "" })],
  ])("(%s) %s", async (reason, _how, request) => {
    await expect(verifyWebhook(request)).rejects.toMatchObject({ name: "WebhookError", reason });
  });
});

property.prop([
  fc.string({ minLength: 1 }),
  fc.json(),
  fc.integer({ min: -400_000, max: 400_000 }),
  fc.constantFrom("none", "body", "signature", "timestamp", "no timestamp"),
])("it decides as the seed's six rules do, written apart", async (secret, body, late, change) => {
  const timestamp = String(NOW - late);
  const signature = sign(secret, timestamp, body);
  const headers: Headers = {
    "x-service-signature": change === "signature" ? signature.replace(/.$/, "g") : signature,
    "x-service-timestamp":
      change === "no timestamp" ? undefined : change === "timestamp" ? `${timestamp}0` : timestamp,
  };
  const received = change === "body" ? `${body} ` : body;
  const expected = verifyBySeed(secret, headers, Buffer.from(received), NOW).status === 200;
  const taken = await verifyWebhook({ secret, headers, body: received, now: NOW }).then(
    () => true,
    () => false,
  );
  expect(taken).toBe(expected);
});

function upperCase(headers: ReceivedWebhook["headers"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), String(value)]),
  );
}
