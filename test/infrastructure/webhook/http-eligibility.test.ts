import { randomBytes } from "node:crypto";
import type pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import type { EligibilityQuestion } from "../../../application/ports/eligibility.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { addressPolicy, type ResolveName } from "../../../infrastructure/http/address-guard.ts";
import { guardedHttpClient } from "../../../infrastructure/http/guarded-http-client.ts";
import { secretBox } from "../../../infrastructure/secrets.ts";
import { ELIGIBILITY_LIMITS, httpEligibility } from "../../../infrastructure/webhook/http-eligibility.ts";
import { seedSignature, standardSignature } from "../../../infrastructure/webhook/signature.ts";
import { onEachRequest, type RawReceiver, rawReceiver } from "../../support/raw-receiver.ts";

const OWNER = "usr_1";
const SECRET = `whsec_${randomBytes(32).toString("base64")}`;
const QUESTION: EligibilityQuestion = {
  ...({ eventId: "event-1", occurredAt: "2026-11-27T10:00:00.000Z", phoneNumber: "+12025550100" } as const),
  ...({ name: "Zoë", customData: { orderId: 7 }, externalId: null, campaignId: "cmp_1" } as const),
  ...({ contactId: "ctc_1", attempt: 2, metadata: {} } as const),
};
const head = (body: string, status = "200 OK") =>
  `HTTP/1.1 ${status}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const YES = head('{"allowed": true}');

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const item of open.splice(0)) await item.close();
});

async function receiver(answer: (socket: RawReceiver["sockets"][number], raw: string) => void) {
  const made = await rawReceiver((socket) => onEachRequest(socket, (_count, raw) => answer(socket, raw)));
  open.push(made);
  return made;
}

/** `secret` null: the store of secrets is away. */
function eligibility({
  cidrs = ["127.0.0.0/8"],
  secret = SECRET as string | null,
  resolve = toLoopback,
} = {}) {
  const box = secretBox(randomBytes(32));
  const sealed = box.seal(secret ?? SECRET, `webhook:${OWNER}`);
  const query = async () => {
    if (secret === null) throw new Error("database away");
    return { rows: [{ sealed, previous: null, previous_until: null }] };
  };
  const pool = { query } as unknown as pg.Pool;
  const policy = addressPolicy(cidrs);
  const client = guardedHttpClient({ policy, resolve, ca: undefined }, ELIGIBILITY_LIMITS);
  open.push(client);
  return httpEligibility({ pool, box, clock: systemClock, client, policy, resolve });
}
const toLoopback: ResolveName = () => Promise.resolve(["127.0.0.1"]);

const ask = (url: string, timeoutMs = 5_000) => eligibility().ask(OWNER, { url, timeoutMs }, QUESTION);

describe("a question", () => {
  it("is a signed POST with everything that is known, on a connection that is kept", async () => {
    const heard: string[] = [];
    const { url, sockets } = await receiver((socket, raw) => {
      heard.push(raw);
      socket.write(YES);
    });
    const asking = eligibility();
    const reply = await asking.ask(OWNER, { url, timeoutMs: 5_000 }, QUESTION);
    expect(reply).toMatchObject({ answer: { kind: "allowed" }, status: 200, text: '{"allowed": true}' });
    const [headText = "", latin = ""] = (heard[0] ?? "").split("\r\n\r\n");
    const body = Buffer.from(latin, "latin1");
    expect(JSON.parse(body.toString())).toEqual({ event: "call.eligibility", data: QUESTION });
    const headers = new Map(
      headText.split("\r\n").map((line): [string, string] => {
        const [name = "", ...value] = line.split(": ");
        return [name.toLowerCase(), value.join(": ")];
      }),
    );
    const [millis = "", seconds = ""] = ["x-service-timestamp", "webhook-timestamp"].map((name) =>
      headers.get(name),
    );
    expect(headers.get("x-service-signature")).toBe(seedSignature(SECRET, millis, body));
    expect(headers.get("webhook-signature")).toBe(standardSignature(SECRET, "event-1", seconds, body));
    await asking.ask(OWNER, { url, timeoutMs: 5_000 }, QUESTION);
    expect(sockets).toHaveLength(1);
  });

  it.each([
    ["status_500", head('{"allowed": true}', "500 Internal Server Error")],
    ["status_201", head('{"allowed": true}', "201 Created")],
    ["status_204", "HTTP/1.1 204 No Content\r\n\r\n"],
    ["not_json", head("<html>allowed</html>")],
    ["no_answer", head('{"allowed": "yes"}')],
    ["unknown_field", head('{"allowed": true, "ttl": 60}')],
    ["too_long", head(`{"allowed": true, "reason": "${"x".repeat(16_384)}"}`)],
    ["cut_off", 'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"allowed": true}'],
  ])("has no answer that counts: %s", async (why, answer) => {
    const { url } = await receiver((socket) => socket.end(answer));
    expect((await ask(url)).answer).toEqual({ kind: "unavailable", why });
  });

  it("follows no redirect, neither to a private address nor anywhere", async () => {
    const other = await receiver((socket) => socket.write(YES));
    const { url } = await receiver((socket) =>
      socket.write(`HTTP/1.1 307 Temporary Redirect\r\nLocation: ${other.url}\r\nContent-Length: 0\r\n\r\n`),
    );
    expect((await ask(url)).answer).toEqual({ kind: "unavailable", why: "redirect" });
    expect(other.sockets).toHaveLength(0);
  });

  it("is over at its time, whether nothing or only a part of the answer comes", async () => {
    const silent = await receiver(() => undefined);
    const slow = await receiver((socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 17\r\n\r\n{"));
    const begun = performance.now();
    const [first, second] = await Promise.all([ask(silent.url, 500), ask(slow.url, 500)]);
    expect(performance.now() - begun).toBeLessThan(4_000);
    expect(first).toMatchObject({
      answer: { kind: "unavailable", why: "timeout" },
      status: null,
      text: null,
    });
    expect(second.answer).toEqual({ kind: "unavailable", why: "cut_off" });
  });

  it("ends where nobody listens, where it is hung up, and where the secret cannot be read", async () => {
    const gone = await rawReceiver(() => undefined);
    await gone.close();
    const hangsUp = await receiver((socket) => socket.destroy());
    const whys = [(await ask(gone.url)).answer, (await ask(hangsUp.url)).answer];
    expect(whys).toEqual([
      { kind: "unavailable", why: "ECONNREFUSED" },
      { kind: "unavailable", why: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) },
    ]);
    const sealed = await eligibility({ secret: null }).ask(
      OWNER,
      { url: gone.url, timeoutMs: 500 },
      QUESTION,
    );
    expect(sealed.answer).toEqual({ kind: "unavailable", why: "secret_unreadable" });
  });

  it("goes to no private address, also when the name was moved there after it was saved", async () => {
    const { url, port, sockets } = await receiver((socket) => socket.write(YES));
    const asking = eligibility({ cidrs: [] });
    const check = { url: `https://crm.example.com:${port}/`, timeoutMs: 500 };
    expect((await asking.ask(OWNER, check, QUESTION)).answer).toMatchObject({ kind: "unavailable" });
    expect((await asking.ask(OWNER, { ...check, url }, QUESTION)).answer).toMatchObject({
      kind: "unavailable",
    });
    expect(sockets).toHaveLength(0);
  });
});

describe("an address that is saved", () => {
  it("is stored as it is called", async () => {
    const asking = eligibility({ cidrs: [], resolve: async () => ["93.184.215.14"] });
    expect(await asking.judgeUrl("https://CRM.example.com:443/may-call")).toEqual({
      url: "https://crm.example.com/may-call",
    });
  });

  it.each([
    ["https://user:pass@crm.example.com/", "credentials_in_url"],
    ["http://crm.example.com/", "scheme_not_allowed"],
    ["https://10.0.0.1/", "address_not_allowed"],
    ["https://[::1]/", "address_not_allowed"],
    ["https://crm.example.com/", "address_not_allowed"],
    ["https://crm.example.com:22/", "port_not_allowed"],
  ])("is refused: %s", async (url, why) => {
    expect(await eligibility({ cidrs: [] }).judgeUrl(url)).toEqual({ refused: why });
  });
});
