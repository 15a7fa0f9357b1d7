import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Api } from "../../api/api.ts";
import { buildServer } from "../../api/server.ts";
import { START } from "../../application/ports/event-store.ts";
import type { Queries } from "../../application/ports/queries.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { loopMillisOf } from "../support/loop-time.ts";
import { createTestDatabase, type TestDatabase } from "../support/postgres.ts";
import type { ApiUser } from "./support/api-user.ts";
import { throwingDeps } from "./support/inert-deps.ts";
import { startTestService, type TestService } from "./support/service.ts";

type Stream = {
  readonly socket: Socket;
  readonly text: () => string;
  /** Milliseconds of the monotonic clock at its end. */
  readonly closed: Promise<unknown>;
};

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function openStream(url: string, key: string): Promise<Stream> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  let text = "";
  socket.on("data", (data) => {
    text += data;
  });
  socket.on("error", () => undefined);
  const ended = Promise.withResolvers<void>();
  socket.on("data", () => text.endsWith("\r\n0\r\n\r\n") && ended.resolve());
  socket.once("close", () => ended.resolve());
  socket.write(
    `GET /api/v1/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\naccept: text/event-stream\r\n\r\n`,
  );
  await eventually("an answer", () => text !== "");
  return { socket, text: () => text, closed: ended.promise };
}

describe("an open event stream", () => {
  let service: TestService;
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    service = await startTestService({ DATABASE_URL: database.connectionString });
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  type Ended = { readonly owner: ApiUser; readonly keyId: string; readonly key: string };
  async function readingKey(more: object = {}): Promise<Ended> {
    const owner = await service.newOwner();
    const body = { name: "reads", scopes: ["events:read"], ...more };
    const made = await owner.send("POST", "/api/v1/api-keys", { body });
    return { owner, keyId: made.body.data.id, key: made.body.data.key };
  }
  const ownerIdOf = async ({ owner }: Ended): Promise<string> =>
    (await owner.send("GET", "/api/v1/account")).body.data.id;

  it.each<readonly [string, string, (ended: Ended) => Promise<unknown>]>([
    [
      "whose key is revoked",
      "key_revoked",
      ({ owner, keyId }) => owner.send("DELETE", `/api/v1/api-keys/${keyId}`),
    ],
    [
      "whose key another process revoked, which told nobody",
      "key_revoked",
      ({ keyId }) =>
        database.pool.query("update config.api_keys set revoked_at = now() where id = $1", [keyId]),
    ],
    [
      "whose owner is made inactive",
      "owner_inactive",
      async (ended) =>
        service.operator.send("PATCH", `/api/v1/users/${await ownerIdOf(ended)}`, {
          body: { active: false },
        }),
    ],
  ])("%s is told so and ends within 1 s", async (_which, reason, end) => {
    const reading = await readingKey();
    const other = await openStream(service.url, reading.owner.key);
    const stream = await openStream(service.url, reading.key);
    await end(reading);
    expect(await loopMillisOf(stream.closed)).toBeLessThan(1_000);
    expect(stream.text()).toContain(`event: closing\ndata: {"reason":"${reason}"}\n\n`);
    expect(stream.text().match(/^id: /gm)).toHaveLength(1); // the one that it begins with
    if (reason === "key_revoked") expect(other.text()).not.toContain("closing");
  });

  it("whose key expires is told so and ends within 1 s", async () => {
    const expiresAt = Date.now() + 2_000;
    const { key } = await readingKey({ expiresAt: new Date(expiresAt).toISOString() });
    const stream = await openStream(service.url, key);
    const left = expiresAt - Date.now();
    const lasted = await loopMillisOf(stream.closed);
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt);
    expect(lasted - left).toBeLessThan(1_000);
    expect(stream.text()).toContain('event: closing\ndata: {"reason":"key_expired"}\n\n');
  });

  it("is one of 300, of which none is closed, and each gets everything", async () => {
    const owner = await service.newOwner();
    for (let count = 0; count < 30; count += 1)
      await owner.send("POST", "/api/v1/squads", { body: { name: `squad ${count}` } });
    const streams = await Promise.all(Array.from({ length: 300 }, () => openStream(service.url, owner.key)));
    await owner.send("POST", "/api/v1/squads", { body: { name: "the last" } });
    for (const { text, socket } of streams) {
      await eventually("the last event", () => text().includes("the last"));
      expect(text().match(/^id: /gm)).toHaveLength(32);
      expect(socket.destroyed).toBe(false);
    }
  });
});

describe("at once", () => {
  const followOwnerEvents: Queries["followOwnerEvents"] = async function* (_owner, _filter, { signal }) {
    yield [];
    await once(signal, "abort");
  };
  let api: Api;
  afterEach(() => api.close());

  it("an owner has 500 event streams; one more is refused until one ends", async () => {
    const deps = throwingDeps(() => new Error("no work in this test"));
    const ownerEvents = async () => ({ rows: [], next: START, atEnd: true });
    api = buildServer({ ...deps, queries: { ...deps.queries, ownerEvents, followOwnerEvents } });
    const url = await api.listen({ host: "127.0.0.1", port: 0 });
    const streams = await Promise.all(Array.from({ length: 500 }, () => openStream(url, "k")));
    for (const { text } of streams) expect(text()).toMatch(/^HTTP\/1.1 200 /);
    const refused = await openStream(url, "k");
    expect(refused.text()).toMatch(/^HTTP\/1.1 429 .*retry-after: 1/is);
    expect(refused.text()).toContain("CONCURRENCY_LIMIT_REACHED");
    streams[0]?.socket.destroy();
    await eventually("a place", async () => / 200 /.test((await openStream(url, "k")).text()));
    for (const socket of sockets) socket.destroy();
  });

  it("an owner has 4 webhook tests; one more is refused until one ends", async () => {
    const deps = throwingDeps(() => new Error("no work in this test"));
    const sent = Promise.withResolvers<null>();
    let underWay = 0;
    const sendTest = () => {
      underWay += 1;
      return sent.promise;
    };
    const webhooks = { ...deps.webhooks, sendTest };
    api = buildServer({ ...deps, webhooks });
    await api.ready();
    const test = async () =>
      api.inject({
        method: "POST",
        url: "/api/v1/webhook/test",
        headers: { authorization: "Bearer k", "content-type": "application/json" },
        payload: { event: "call.ended" },
      });
    const four = [0, 1, 2, 3].map(test);
    await eventually("four to be under way", () => underWay === 4);
    const fifth = await test();
    expect([fifth.statusCode, fifth.json().error.code]).toEqual([429, "CONCURRENCY_LIMIT_REACHED"]);
    sent.resolve(null);
    for (const answer of await Promise.all(four))
      expect(answer.json().error.code).toBe("WEBHOOK_NOT_CONFIGURED");
    expect((await test()).json().error.code).toBe("WEBHOOK_NOT_CONFIGURED");
  });
});
