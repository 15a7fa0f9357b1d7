import { describe, expect, it } from "vitest";
import { SNIPPETS } from "../../dashboard/src/pages/webhooks/snippets.ts";
import { signedHeaders } from "../../infrastructure/webhook/signature.ts";

type Receiver = {
  readonly isGenuine: (secret: string, headers: Readonly<Record<string, string>>, body: Buffer) => boolean;
};

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const OLD = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
const BODY = Buffer.from('{"event":"call.ended","data":{"name":"Ayşe"}}');

describe("the snippet for Node", () => {
  it("accepts both secrets of a rotation, and nothing else", async () => {
    const code = SNIPPETS.find(({ name }) => name === "Node")?.code ?? "";
    const { isGenuine } = (await import(
      /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`
    )) as Receiver;
    const message = { eventId: "8f0e", deliveryId: "dlv_1", attempt: 1, body: BODY };
    const signed = (at: number) =>
      Object.fromEntries(
        Object.entries(signedHeaders({ current: OLD, next: SECRET }, message, at)).map(([name, value]) => [
          name.toLowerCase(),
          value,
        ]),
      );
    const now = Date.now();
    expect(isGenuine(SECRET, signed(now), BODY)).toBe(true);
    expect(isGenuine(OLD, signed(now), BODY)).toBe(true);
    expect(isGenuine(`${SECRET}x`, signed(now), BODY)).toBe(false);
    expect(isGenuine(SECRET, signed(now), Buffer.from(`${BODY} `))).toBe(false);
    expect(isGenuine(SECRET, signed(now - 301_000), BODY)).toBe(false);
    expect(isGenuine(SECRET, {}, BODY)).toBe(false);
  });
});
