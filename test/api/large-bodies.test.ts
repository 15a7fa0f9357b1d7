import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGate } from "../../api/body/body-gate.ts";
import { type CheckedBody, checkJson } from "../../api/body/check-json.ts";
import { createBodyChecks } from "../../api/body/check-pool.ts";
import { createCampaignBody } from "../../api/campaigns/schemas.ts";
import { eventually } from "../support/eventually.ts";
import type { ApiUser } from "./support/api-user.ts";
import { startTestService, type TestService } from "./support/service.ts";
import { type Callable, callable, campaignBody } from "./support/things.ts";

const MIB = 1024 * 1024;
const CAMPAIGNS = "/api/v1/campaigns";

describe("bodies over HTTP", () => {
  let service: TestService;
  let user: ApiUser;
  let ready: Callable;
  beforeAll(async () => {
    service = await startTestService();
    user = await service.newOwner();
    ready = await callable(user);
  });
  afterAll(() => service.stop());

  const padded = (bytes: number) => {
    const text = JSON.stringify(campaignBody(ready));
    return text + " ".repeat(bytes - text.length);
  };
  const json = { "content-type": "application/json" };

  it("are taken up to 16 MiB, and refused from the next byte on", async () => {
    const whole = await user.send("POST", CAMPAIGNS, { raw: padded(16 * MIB), headers: json });
    expect(whole.status).toBe(201);
    const larger = await user.send("POST", CAMPAIGNS, { raw: padded(16 * MIB + 1), headers: json });
    expect([larger.status, larger.body.error.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  });

  it("are counted when they do not say how long they are", async () => {
    const answer = await chunked(service.url, user.key, 17);
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
  });

  it("make 10,000 contacts with names and data in one request, in order", async () => {
    const contacts = Array.from({ length: 10_000 }, (_, index) => ({
      phoneNumber: `+90532${String(index).padStart(7, "0")}`,
      name: `Şükrü ${index} 😀`,
      customData: { place: index, note: "x".repeat(200) },
    }));
    const made = await user.send("POST", CAMPAIGNS, { body: campaignBody(ready, { contacts }) });
    expect(made.body.data.campaign.totalContacts).toBe(10_000);
    const id = made.body.data.campaign.id;
    const { body } = await user.send("GET", `${CAMPAIGNS}/${id}/contacts?limit=200`);
    const next = await user.send(
      "GET",
      `${CAMPAIGNS}/${id}/contacts?limit=1&cursor=${body.pagination.nextCursor}`,
    );
    expect(body.data[199]).toMatchObject({ name: "Şükrü 199 😀", customData: { place: 199 } });
    expect(next.body.data[0].customData.place).toBe(200);
    const csv = await user.send("GET", `${CAMPAIGNS}/${id}/contacts.csv`);
    expect(csv.text.trim().split("\n")).toHaveLength(10_001);
  });

  it("tell the place of a problem in a large list, and store nothing", async () => {
    const contacts: object[] = Array.from({ length: 9_000 }, () => ({
      phoneNumber: "+15005550006",
      name: "n".repeat(100),
    }));
    contacts[7] = { name: "nobody" };
    const { status, body } = await user.send("POST", CAMPAIGNS, { body: campaignBody(ready, { contacts }) });
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ path: ["contacts", 7, "phoneNumber"], message: "Required" }]);
  });

  it("that are nested a million times are refused like any other", async () => {
    const raw = `${'{"a":'.repeat(500_000)}1${"}".repeat(500_000)}`;
    const { status, body } = await user.send("POST", CAMPAIGNS, { raw, headers: json });
    expect([status, body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(body.error.details[0].message).toMatch(/levels deep/);
  });

  it("from many at once are all answered", async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => user.send("POST", CAMPAIGNS, { raw: padded(3 * MIB), headers: json })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 201));
  });

  it("of clients that go away leave their place to others", async () => {
    const gone = Array.from({ length: 4 }, () => halfSent(service.url, user.key, 3 * MIB));
    await Promise.all(gone.map(({ sending }) => sending));
    for (const { socket } of gone) socket.destroy();
    const answer = await user.send("POST", CAMPAIGNS, { raw: padded(3 * MIB), headers: json });
    expect(answer.status).toBe(201);
  });
});

describe("a gate", () => {
  it("lets so many in and the next one when one leaves", async () => {
    const gate = createGate(2);
    const signal = new AbortController().signal;
    const leave = await gate.enter(signal);
    await gate.enter(signal);
    let third = false;
    const waiting = gate.enter(signal).then(() => {
      third = true;
    });
    await new Promise(setImmediate);
    expect(third).toBe(false);
    leave();
    leave();
    await waiting;
    expect(third).toBe(true);
  });

  it("forgets who went away while waiting", async () => {
    const gate = createGate(1);
    const leave = await gate.enter(new AbortController().signal);
    const gone = new AbortController();
    const waiting = gate.enter(gone.signal);
    gone.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    leave();
    await eventually("the free place", () => gate.enter(new AbortController().signal));
  });
});

describe("a body check in a worker", () => {
  it("answers as the one in the process does", async () => {
    const checks = createBodyChecks();
    const contacts = Array.from({ length: 5_000 }, (_, index) => ({
      phoneNumber: `+1500555${index}`,
      customData: { index },
    }));
    const whole = { name: "c", phoneNumberId: "p", assistantId: "a", contacts };
    const bytes = new TextEncoder().encode(JSON.stringify(whole));
    const here = checkJson(bytes, createCampaignBody);
    const task = { kind: "json", schema: "createCampaignBody" } as const;
    const there = await checks.check(task, bytes, new AbortController().signal);
    await checks.close();
    expect(spread(there)).toEqual(spread(here));
    expect(spread(there)).toMatchObject({ ok: true, value: whole });
  });
});

/** With its list as an array, which it need not be. */
function spread(checked: CheckedBody): unknown {
  if (!checked.ok) return checked;
  const { contacts, ...rest } = Object.assign({ contacts: [] }, checked.value);
  return { ok: true, value: { ...rest, contacts: [...contacts] } };
}

/** A request of `mebibytes` in chunks that never says its length. */
function chunked(url: string, key: string, mebibytes: number): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let answer = "";
    socket.on("data", (data) => {
      answer += data;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(answer));
    socket.write(`${head(key)}transfer-encoding: chunked\r\n\r\n`);
    const chunk = Buffer.alloc(MIB, 0x20);
    for (let count = 0; count < mebibytes; count += 1) {
      socket.write(`${chunk.length.toString(16)}\r\n`);
      socket.write(chunk);
      socket.write("\r\n");
    }
  });
}

/** A request whose body stops in the middle. */
function halfSent(url: string, key: string, length: number) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  const sending = new Promise<void>((resolve) => {
    socket.write(`${head(key)}content-length: ${length}\r\n\r\n`, () => resolve());
    socket.write(Buffer.alloc(length / 2, 0x20));
  });
  return { socket, sending };
}

function head(key: string): string {
  return `POST ${CAMPAIGNS} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n`;
}
