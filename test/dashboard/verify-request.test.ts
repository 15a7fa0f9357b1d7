import { describe, expect, it } from "vitest";
import { judgeRequest, parseRequest } from "../../dashboard/src/pages/webhooks/verify-request.ts";
import { explainSignature } from "../../infrastructure/webhook/explain-signature.ts";
import { parseRawRequest } from "../../infrastructure/webhook/raw-request.ts";
import { signedHeaders } from "../../infrastructure/webhook/signature.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const OLD = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
const NOW = Date.parse("2026-09-01T10:00:00.000Z");
const BODY = JSON.stringify({ event: "call.ended", data: { name: "Ayşe 🎈", cost: 0.7 } });

type Change = (text: string) => string;

function captured(secrets = { current: SECRET, next: null as string | null }): string {
  const body = Buffer.from(BODY);
  const message = { eventId: "8f0e", deliveryId: "dlv_1", attempt: 1, body };
  const headers = { ...signedHeaders(secrets, message, NOW), "Content-Length": String(body.length) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `POST /hooks HTTP/1.1\n${lines.join("\n")}\n\n${BODY}`;
}

const CASES: readonly (readonly [name: string, change: Change, secret: string, now: number])[] = [
  ["as it arrived", (text) => text, SECRET, NOW],
  ["without a request line", (text) => text.slice(text.indexOf("\n") + 1), SECRET, NOW],
  ["with CRLF in its head", (text) => text.replace(/\n/g, "\r\n"), SECRET, NOW],
  ["five minutes old", (text) => text, SECRET, NOW + 300_000],
  ["a moment older", (text) => text, SECRET, NOW + 300_001],
  ["from a clock that is ahead", (text) => text, SECRET, NOW - 300_001],
  ["old and by another secret", (text) => text, OLD, NOW + 400_000],
  ["without its signature", (text) => text.replace(/X-Service-Signature:.*\n/, ""), SECRET, NOW],
  ["without a number as time", (text) => text.replace(/(X-Service-Timestamp: )/, "$1x"), SECRET, NOW],
  ["with a line break at its end", (text) => `${text}\n`, SECRET, NOW],
  ["written again", (text) => text.replace('"data":{', '"data": {'), SECRET, NOW],
  ["with another value", (text) => text.replace("0.7", "0.8"), SECRET, NOW],
  ["cut short", (text) => text.slice(0, -3), SECRET, NOW],
  [
    "cut short, of unknown length",
    (text) => text.slice(0, -3).replace(/Content-Length.*\n/, ""),
    SECRET,
    NOW,
  ],
  ["by another secret", (text) => text, OLD, NOW],
  ["by a secret with spaces", (text) => text, ` ${SECRET} `, NOW],
  ["by a secret without its beginning", (text) => text, SECRET.slice(6), NOW],
  ["with a wrong Standard Webhooks signature", (text) => text.replace("v1,", "v1,x"), SECRET, NOW],
  ["with an empty body", (text) => text.slice(0, text.indexOf("\n\n") + 2), SECRET, NOW],
];

describe("a pasted request, judged in the browser", () => {
  it.each(CASES)("%s: as npm run webhook:verify judges it", async (_name, change, secret, now) => {
    const text = change(captured());
    const expected = explainSignature(secret, parseRawRequest(Buffer.from(text)), now);
    const request = parseRequest(text);
    expect(request).not.toBeNull();
    if (request === null) return;
    const judged = await judgeRequest(secret, request, now);
    expect(judged.verdict).toBe(expected.verdict);
    const standard = judged.findings.find((finding) => finding.what === "standard");
    expect(standard === undefined ? null : standard).toEqual(
      expected.message.includes("webhook-signature is")
        ? { what: "standard", fits: !expected.message.includes("NOT") }
        : null,
    );
  });

  it.each([SECRET, OLD])("accepts both secrets of a rotation", async (secret) => {
    const request = parseRequest(captured({ current: OLD, next: SECRET }));
    if (request === null) throw new Error("It can be read");
    const { verdict } = await judgeRequest(secret, request, NOW);
    expect(verdict).toBe("valid");
  });

  it.each(["", "no empty line", "a line without colon\n\n{}"])("reads no request in %j", (text) => {
    expect(parseRequest(text)).toBeNull();
  });
});
