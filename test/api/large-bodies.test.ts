import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGate } from "../../api/body/body-gate.ts";
import { type CheckedBody, checkJson } from "../../api/body/check-json.ts";
import { createBodyChecks } from "../../api/body-checks/check-pool.ts";
import { readContactsCsv } from "../../api/campaigns/read-contacts-csv.ts";
import { campaignImportRoutes } from "../../contract/campaign-import.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
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
    const answer = await chunked(service.url, head(user.key), 17);
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
  });

  it.each([
    ["before its first part", ""],
    ["in a part that no form has", '--line\r\nContent-Disposition: form-data; name="notes"\r\n\r\n'],
    ["in its file", '--line\r\nContent-Disposition: form-data; name="file"\r\n\r\n'],
  ])("are counted when they are a form, also what comes %s", async (_where, begins) => {
    const answer = await chunked(service.url, formHead(user.key), 17, begins);
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
  });

  it("that are forms have at most eleven parts", async () => {
    const part = (name: string, text: string) =>
      `\r\n--line\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}`;
    const settings = part("settings", JSON.stringify({ name: "Large", ...ready }));
    const form = (emptyParts: number) => ({
      raw: `${"\r\n--line".repeat(emptyParts)}${settings}${part("file", "phone\n+15005550006\n")}\r\n--line--\r\n`,
      headers: { "content-type": "multipart/form-data; boundary=line" },
    });
    expect((await user.send("POST", `${CAMPAIGNS}/import`, form(9))).status).toBe(201);
    const many = await user.send("POST", `${CAMPAIGNS}/import`, form(10));
    expect([many.status, many.body.error.details[0].message]).toEqual([
      400,
      "Must be a form with one file in the part file and JSON in the part settings",
    ]);
  });

  it("that are forms take places by what has come, whatever they announce", async () => {
    const slow = Array.from({ length: 20 }, () => halfSent(service.url, formHead(user.key), 16 * MIB, 1024));
    await Promise.all(slow.map(({ sending }) => sending));
    await new Promise((resolve) => setTimeout(resolve, 500)); // all of them have arrived
    const form = new FormData();
    form.append("settings", JSON.stringify({ name: "Large", ...ready }));
    form.append("file", new Blob([`phone,note\n+15005550006,x${"\n".repeat(3 * MIB)}`]));
    const answer = await user.send("POST", `${CAMPAIGNS}/import`, { raw: form });
    const waited = slow.filter(({ socket }) => socket.readyState === "open");
    for (const { socket } of slow) socket.destroy();
    expect(answer.status).toBe(201);
    expect(waited).toHaveLength(slow.length); // none of them had to end first
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

  it("that come slowly keep nobody else waiting", async () => {
    const slow = Array.from({ length: 40 }, () => halfSent(service.url, head(user.key), 3 * MIB));
    await Promise.all(slow.map(({ sending }) => sending));
    const other = await service.newOwner();
    const raw = `{}${" ".repeat(3 * MIB)}`;
    const answer = await other.send("POST", CAMPAIGNS, { raw, headers: json });
    expect(answer.status).toBe(400);
    expect(slow.filter(({ socket }) => socket.readyState !== "open")).toEqual([]); // none had to end first
    for (const { socket } of slow) socket.destroy();
  });

  it.each([
    ["[", 400, "VALIDATION_ERROR"],
    ['{"a":', 400, "VALIDATION_ERROR"],
    ["[0],", 413, "PAYLOAD_TOO_LARGE"],
    ["{},", 413, "PAYLOAD_TOO_LARGE"],
    ["0,", 413, "PAYLOAD_TOO_LARGE"],
    ['"\\u0041",', 413, "PAYLOAD_TOO_LARGE"],
  ])("of 16 MB of %s take less than 300 MB of memory", async (part, status, code) => {
    const open = code === "VALIDATION_ERROR" ? "" : '{"contacts":[],"metadata":[';
    const raw = open + part.repeat(Math.floor((16 * MIB - 100) / part.length));
    const [peak, answer] = await peakMemory(() => user.send("POST", CAMPAIGNS, { raw, headers: json }));
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(peak).toBeLessThan(300 * MIB);
  });

  it("of clients that go away leave their place to others", async () => {
    const gone = Array.from({ length: 4 }, () => halfSent(service.url, head(user.key), 3 * MIB));
    await Promise.all(gone.map(({ sending }) => sending));
    for (const { socket } of gone) socket.destroy();
    const answer = await user.send("POST", CAMPAIGNS, { raw: padded(3 * MIB), headers: json });
    expect(answer.status).toBe(201);
  });
});

describe("a gate", () => {
  const { signal } = new AbortController();

  it("lets so many in and the next one when one leaves", async () => {
    const gate = createGate(2);
    const leave = await gate.enter("a", signal);
    await gate.enter("b", signal);
    let third = false;
    const waiting = gate.enter("c", signal).then(() => {
      third = true;
    });
    await new Promise(setImmediate);
    expect(third).toBe(false);
    leave();
    leave();
    await waiting;
    expect(third).toBe(true);
  });

  it("gives half of its places to one owner at the most, and passes over those who wait for more", async () => {
    const gate = createGate(4);
    const leave = await gate.enter("greedy", signal);
    await gate.enter("greedy", signal);
    const order: string[] = [];
    const more = gate.enter("greedy", signal).then(() => order.push("greedy"));
    await gate.enter("other", signal);
    await gate.enter("third", signal);
    await new Promise(setImmediate);
    expect(order).toEqual([]);
    leave();
    await more;
    expect(order).toEqual(["greedy"]);
  });

  it("forgets who went away while waiting", async () => {
    const gate = createGate(1);
    const leave = await gate.enter("a", signal);
    const gone = new AbortController();
    const waiting = gate.enter("b", gone.signal);
    gone.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    leave();
    await eventually("the free place", () => gate.enter("c", signal));
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
    const here = checkJson(bytes, campaignImportRoutes.createCampaign.body);
    const task = { kind: "json", schema: "createCampaign" } as const;
    const there = await checks.check(task, bytes, new AbortController().signal, "usr_1");
    await checks.close();
    expect(spread(there)).toEqual(spread(here));
    expect(spread(there)).toMatchObject({ ok: true, value: whole });
  });

  it("finds in a worker the contacts and refused rows of a file that it finds in the process", async () => {
    const checks = createBodyChecks();
    const rows = Array.from({ length: 20_000 }, (_, index) =>
      index % 2 === 0 ? `${index},x` : "+15005550006,x",
    );
    const bytes = new TextEncoder().encode(`phone,note\n${rows.join("\n")}`);
    const options = { columns: {}, defaultCountry: null, charset: null, said: new Set<string>() };
    const task = { kind: "csv", ...options, skipDuplicates: true, report: "rows" } as const;
    const here = readContactsCsv(bytes, task);
    const there = await checks.check(task, bytes, new AbortController().signal, "usr_1");
    await checks.close();
    expect(spread(there)).toEqual(spread(here));
    expect(here.ok && [...here.value.refusedRows].length).toBe(19_999);
  });
});

/** By how many bytes the resident memory of this process, service and client, grew at the most. */
async function peakMemory<Answer>(work: () => Promise<Answer>): Promise<readonly [number, Answer]> {
  const before = process.memoryUsage.rss();
  let most = before;
  const looking = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 10);
  const answer = await work();
  clearInterval(looking);
  return [Math.max(most, process.memoryUsage.rss()) - before, answer];
}

/** With its list as an array, which it need not be. */
function spread(checked: CheckedBody): unknown {
  if (!checked.ok) return checked;
  const { contacts, refusedRows, ...rest } = Object.assign({ contacts: [], refusedRows: [] }, checked.value);
  return { ok: true, value: { ...rest, contacts: [...contacts], refusedRows: [...refusedRows] } };
}

/** A request of `mebibytes` in chunks, after what it begins with, that never says its length. */
function chunked(url: string, header: string, mebibytes: number, begins = ""): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let answer = "";
    socket.on("data", (data) => {
      answer += data;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(answer));
    socket.write(`${header}connection: close\r\ntransfer-encoding: chunked\r\n\r\n`);
    if (begins !== "") socket.write(`${begins.length.toString(16)}\r\n${begins}\r\n`);
    const chunk = Buffer.alloc(MIB, 0x20);
    for (let count = 0; count < mebibytes; count += 1) {
      socket.write(`${chunk.length.toString(16)}\r\n`);
      socket.write(chunk);
      socket.write("\r\n");
    }
    socket.write("0\r\n\r\n");
  });
}

/** A request whose body stops in the middle. */
function halfSent(url: string, header: string, length: number, sent = length / 2) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  const sending = new Promise<void>((resolve) => {
    socket.write(`${header}content-length: ${length}\r\n\r\n`, () => resolve());
    socket.write(Buffer.alloc(sent, 0x20));
  });
  return { socket, sending };
}

function head(key: string): string {
  return `POST ${CAMPAIGNS} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n`;
}

function formHead(key: string): string {
  return `POST ${CAMPAIGNS}/import HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: multipart/form-data; boundary=line\r\n`;
}
