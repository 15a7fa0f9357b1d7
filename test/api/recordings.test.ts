import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compose, type Service } from "../../composition/service.ts";
import { readConfig } from "../../infrastructure/config.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { migratedDatabase } from "../support/database.ts";
import { keptRecordings } from "../support/kept-recordings.ts";
import type { TestDatabase } from "../support/postgres.ts";
import { type ApiUser, apiUser } from "./support/api-user.ts";
import { loadDocument } from "./support/document.ts";
import { callable, endedCall, made } from "./support/things.ts";

const KEY = "recordings-of-the-first-key";
const TALKS = "+15005550006";

let database: TestDatabase;
let folder: string;
let service: Service;
let user: ApiUser;
let callId: string;
let path: string;
beforeAll(async () => {
  database = await migratedDatabase();
  folder = await mkdtemp(join(tmpdir(), "ringfold-heard-"));
  service = await compose(
    readConfig({
      ...{ PORT: "0", DATA_DIR: folder, DATABASE_URL: database.connectionString, LOG_LEVEL: "silent" },
      ...{ SECRETS_KEY: Buffer.alloc(32, 5).toString("base64"), BOOTSTRAP_API_KEY: KEY },
      ...{ SIMULATOR_SPEED: "50", RATE_LIMIT_PER_SECOND: "0" },
    }),
  );
  user = apiUser({ url: service.url, document: await loadDocument(), key: KEY });
  await eventually("ready", async () => (await user.send("GET", "/health/ready")).status === 200);
  callId = await talked();
  path = `/api/v1/calls/${callId}/recording`;
  await eventually("its recording", async () => (await get()).status === 200);
});
afterAll(async () => {
  await service.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function talked(changes: object = {}): Promise<string> {
  const body = { ...(await callable(user)), to: TALKS, ...changes };
  const started = await user.send("POST", "/api/v1/calls/outbound", { body });
  await endedCall(user, started.body.callId);
  return started.body.callId;
}

const get = (headers: Record<string, string> = {}) =>
  fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${KEY}`, ...headers } });
const files = () => keptRecordings(join(folder, "recordings"));

describe("the recording of a call", () => {
  it("is heard whole, in parts, and once for a cache", async () => {
    const whole = await get();
    const bytes = Buffer.from(await whole.arrayBuffer());
    const tag = whole.headers.get("etag") ?? "";
    expect([whole.headers.get("content-type"), whole.headers.get("accept-ranges")]).toEqual([
      "audio/wav",
      "bytes",
    ]);
    expect(bytes.subarray(0, 4).toString()).toBe("RIFF");
    expect(Number(whole.headers.get("content-length"))).toBe(bytes.length);
    for (const [range, from, to] of [
      ["bytes=0-3", 0, 3],
      ["bytes=40-", 40, bytes.length - 1],
      ["bytes=-100", bytes.length - 100, bytes.length - 1],
      ["bytes=10-99999999", 10, bytes.length - 1],
    ] as const) {
      const part = await get({ range, "if-range": tag });
      expect([part.status, part.headers.get("content-range")]).toEqual([
        206,
        `bytes ${from}-${to}/${bytes.length}`,
      ]);
      expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(from, to + 1))).toBe(true);
    }
    const beyond = await get({ range: `bytes=${bytes.length}-` });
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, `bytes */${bytes.length}`]);
    expect(await beyond.json()).toMatchObject({ error: { code: "RANGE_NOT_SATISFIABLE" } });
    // What is no range, several, or one of another version: the whole.
    for (const headers of [
      { range: "bytes=5-2" },
      { range: "bytes=0-1,4-5" },
      { range: "lines=0-1" },
      { range: "bytes=0-1", "if-range": '"other"' },
    ] as Record<string, string>[]) {
      const all = await get(headers);
      expect([all.status, (await all.arrayBuffer()).byteLength]).toEqual([200, bytes.length]);
    }
    const known = await get({ "if-none-match": tag });
    expect([known.status, await known.text()]).toEqual([304, ""]);
  });

  it("lies sealed in a folder that nobody else reads, and not at the carrier any more", async () => {
    expect(await files()).toContain(callId);
    const segments = join(folder, "recordings", "segments");
    const [segment = ""] = await readdir(segments);
    expect((await stat(join(segments, segment))).mode & 0o777).toBe(0o600);
    expect((await readFile(join(segments, segment))).includes("RIFF")).toBe(false);
    const journal = join(folder, "carrier", "journal.jsonl");
    await eventually("its deletion at the carrier", async () =>
      (await readFile(journal, "utf8"))
        .split("\n")
        .some((line) => line.includes('"recording_deleted"') && line.includes(callId)),
    );
    // The carrier has deleted it before the service has its answer.
    await eventually("nothing that is still to be deleted", async () =>
      (await user.send("GET", "/health/ready")).text.includes('"toDelete":0'),
    );
  });

  it("is another owner's to whom it is unknown", async () => {
    const owner = await user.send("POST", "/api/v1/users", { body: { name: "Another" } });
    const other = { authorization: `Bearer ${owner.body.data.apiKey.key}` };
    expect((await fetch(`${service.url}${path}`, { headers: other })).status).toBe(404);
  });

  it("is not made when its assistant says so", async () => {
    const assistant = await made(user, "/api/v1/assistants", {
      ...{ name: "Silent", greetingMessage: "Hello", systemPrompt: "Be brief.", recording: "off" },
    });
    await user.send("POST", `/api/v1/assistants/${assistant.id}/publish`);
    const silent = await talked({ assistantId: assistant.id });
    const { body } = await user.send("GET", `/api/v1/calls/${silent}`);
    expect(body.data).toMatchObject({ status: "completed", recordingStatus: "none", recordingUrl: null });
    expect((await user.send("GET", `/api/v1/calls/${silent}/recording`)).status).toBe(404);
  });

  it("goes with the words of its call, file and all, and is counted", async () => {
    const erased = await user.send("DELETE", `/api/v1/calls/${callId}/content`);
    expect(erased.body.data).toMatchObject({ status: "done", recordings: 1 });
    expect((await files()).filter((name) => name.includes(callId))).toEqual([]);
    expect((await get()).status).toBe(404);
  });
});
