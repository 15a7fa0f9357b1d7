import { describe, expect, it } from "vitest";
import { explainSignature } from "../../../infrastructure/webhook/explain-signature.ts";
import { parseRawRequest } from "../../../infrastructure/webhook/raw-request.ts";
import { signedHeaders } from "../../../infrastructure/webhook/signature.ts";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const next = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const now = 1_790_000_000_000;
const body = JSON.stringify({ event: "call.ended", data: { callId: "call_1", note: "Zoë" } });

type Change = { body?: string; without?: string; overlap?: boolean };

function captured(change: Change = {}): Buffer {
  const secrets = { current: secret, next: change.overlap === true ? next : null };
  const message = { eventId: "e1", deliveryId: "dlv_1", attempt: 1, body: Buffer.from(body) };
  const headers = {
    ...signedHeaders(secrets, message, now),
    "Content-Length": String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(headers)
    .filter(([name]) => name !== change.without)
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST /hook HTTP/1.1\r\n${lines.join("")}\r\n${change.body ?? body}`);
}

const explain = (change: Change = {}, by = secret, at = now) =>
  explainSignature(by, parseRawRequest(captured(change)), at);

describe("explainSignature", () => {
  it("accepts a request as it was sent", () => {
    expect(explain()).toEqual({
      verdict: "valid",
      message: "valid by X-Service-Signature; webhook-signature is valid too",
    });
  });

  it.each(["X-Service-Signature", "X-Service-Timestamp"])("names the missing header %s", (without) => {
    expect(explain({ without })).toEqual({
      verdict: "header_missing",
      message: `missing header: ${without}`,
    });
  });

  it("says by how much the clock is off, and to which side", () => {
    expect(explain({}, secret, now + 301_500)).toMatchObject({ verdict: "clock_off" });
    expect(explain({}, secret, now + 301_500).message).toContain("301.5 s ahead of");
    expect(explain({}, secret, now - 400_000).message).toContain("400.0 s behind");
  });

  it("says that the body changed when its length is not the announced one", () => {
    const explanation = explain({ body: body.replace("call_1", "call_12") });
    expect(explanation).toMatchObject({ verdict: "body_changed" });
    expect(explanation.message).toContain("Content-Length says");
  });

  it("recognises a line break at the end and a body that was written again", () => {
    expect(explain({ body: `${body}\n` }).message).toContain("a line break was added");
    expect(explain({ body: JSON.stringify(JSON.parse(body), null, 2) }).message).toContain("written again");
  });

  it("says that the secret is wrong when the body is as sent", () => {
    expect(explain({}, next)).toMatchObject({ verdict: "wrong_secret" });
  });

  it("recognises a secret with spaces around it or without its prefix", () => {
    expect(explain({}, ` ${secret}\n`).message).toContain("remove the spaces");
    expect(explain({}, secret.slice("whsec_".length)).message).toContain('with "whsec_" in front');
  });

  it("accepts the new secret during an overlap and says so", () => {
    expect(explain({ overlap: true }, next).message).toContain("the new secret of a rotation");
  });

  it("names every rule that fails", () => {
    const explanation = explain({}, next, now + 600_000);
    expect(explanation.verdict).toBe("clock_off");
    expect(explanation.message).toContain("wrong secret");
  });
});

describe("parseRawRequest", () => {
  it("reads a head with bare line feeds and no request line", () => {
    const request = parseRawRequest(Buffer.from("A: 1\nB:2\n\n{}\n"));
    expect([...request.headers]).toEqual([
      ["a", "1"],
      ["b", "2"],
    ]);
    expect(request.body.toString()).toBe("{}\n");
  });

  it("refuses a file without an empty line", () => {
    expect(() => parseRawRequest(Buffer.from("A: 1\n{}"))).toThrow("no empty line");
  });
});
