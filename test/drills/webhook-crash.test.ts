import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { OutboxEntry } from "../../application/ports/webhook-outbox.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import { CALL_ONCE_KINDS, WEBHOOK_KINDS } from "../../domain/webhook/kinds.ts";
import { systemClock } from "../../infrastructure/clock.ts";
import { addressPolicy } from "../../infrastructure/http/address-guard.ts";
import { systemIds } from "../../infrastructure/ids.ts";
import { secretBox } from "../../infrastructure/secrets.ts";
import { postgresOutbox } from "../../infrastructure/webhook/outbox/postgres-outbox.ts";
import { postgresWebhookSettings } from "../../infrastructure/webhook/settings/postgres-webhook-settings.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { migratedDatabase } from "../support/database.ts";
import type { TestDatabase } from "../support/postgres.ts";

/**
 * More of them:
 * `WEBHOOK_KILLS=100 npx vitest run test/drills/webhook-crash.test.ts`.
 */
const KILLS = Number(process.env["WEBHOOK_KILLS"] ?? 5);
const CALLS_A_KILL = 60;
const SPEED = 20;

type Arrival = { eventId: string; body: string; status: number };

let database: TestDatabase;
let server: http.Server;
let base = "";
const arrivals: Arrival[] = [];

beforeAll(async () => {
  database = await migratedDatabase();
  server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const status = arrivals.length % 17 === 0 ? 500 : 200;
      const eventId = String(request.headers["x-service-event-id"]);
      arrivals.push({ eventId, body: Buffer.concat(chunks).toString(), status });
      response.writeHead(status).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  base = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : "";
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await database.drop();
});

function startWorker(): ChildProcess {
  const args = ["test/support/webhook-worker.ts", database.connectionString, String(SPEED)];
  return spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
}

async function kill(worker: ChildProcess): Promise<void> {
  const gone = once(worker, "exit");
  worker.kill("SIGKILL");
  await gone;
}

function callEntries(owner: OwnerId): OutboxEntry[] {
  const callId: CallId = systemIds.next("call");
  return CALL_ONCE_KINDS.map((kind) => ({
    eventId: `${kind} ${callId}`,
    owner,
    kind,
    callId,
    campaignId: null,
    sequence: WEBHOOK_KINDS[kind].sequence,
    occurredAt: systemClock.now(),
    body: JSON.stringify({ event: kind, data: { callId, text: "ü".repeat(500) } }),
  }));
}

it("loses nothing by kill -9 at any moment: every event arrives, repeats are byte-identical, calls stay in order", async () => {
  const { pool } = database;
  const deps = { pool, box: secretBox(Buffer.alloc(32, 1)), clock: systemClock, ids: systemIds };
  const settings = postgresWebhookSettings({
    ...deps,
    sendAttempt: () => Promise.reject(new Error("nothing is sent here")),
    policy: addressPolicy(["127.0.0.0/8"]),
    resolve: () => Promise.reject(new Error("no names here")),
    onChange: () => undefined,
  });
  const outbox = postgresOutbox({ ...deps, onQueued: () => undefined });
  const owners: OwnerId[] = Array.from({ length: 4 }, () => systemIds.next("usr"));
  for (const owner of owners)
    await settings.put(owner, { url: `${base}/${owner}`, enabled: true, events: null });

  const entries: OutboxEntry[] = [];
  let worker = startWorker();
  for (let round = 0; round < KILLS; round++) {
    const fresh = Array.from({ length: CALLS_A_KILL }, (_, index) =>
      callEntries(owners[index % 4] ?? "usr_none"),
    ).flat();
    await outbox.enqueue(fresh);
    entries.push(...fresh);
    const killAt = arrivals.length + 20 + Math.floor(Math.random() * CALLS_A_KILL);
    await eventually("work in progress", () => arrivals.length >= killAt);
    await kill(worker);
    worker = startWorker();
  }
  await eventually("every event to be delivered", async () => {
    const open = await pool.query(
      "select count(*)::int as n from work.webhook_deliveries where status <> 'delivered'",
    );
    return open.rows[0].n === 0;
  });
  await kill(worker);
  const unknown = await pool.query(
    "select count(*)::int as n from work.webhook_attempts where class = 'unknown'",
  );
  expect(unknown.rows[0].n).toBeGreaterThan(0);

  const bodies = new Map(entries.map((entry) => [entry.eventId, entry.body]));
  expect(new Set(arrivals.map(({ eventId }) => eventId))).toEqual(new Set(bodies.keys()));
  expect(arrivals.filter(({ eventId, body }) => bodies.get(eventId) !== body)).toEqual([]);
  expect(
    outOfOrder(
      entries.flatMap(({ kind, callId }) => (kind === "call.started" && callId !== null ? [callId] : [])),
    ),
  ).toEqual([]);
}, 600_000);

/** Calls whose call.ended came before their call.started was taken or had been refused three times. */
function outOfOrder(calls: readonly CallId[]): CallId[] {
  const byEvent = Map.groupBy(
    arrivals.map((arrival, at) => ({ ...arrival, at })),
    ({ eventId }) => eventId,
  );
  return calls.filter((call) => {
    const ended = byEvent.get(`call.ended ${call}`)?.[0]?.at ?? Number.POSITIVE_INFINITY;
    const before = (byEvent.get(`call.started ${call}`) ?? []).filter(({ at }) => at < ended);
    return !before.some(({ status }) => status === 200) && before.length < 3;
  });
}
