import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { OutboxEntry, WebhookOutbox } from "../application/ports/webhook-outbox.ts";
import { type DeliveryLoop, deliveryLoop } from "../application/webhook/delivery/delivery-loop.ts";
import type { OwnerId } from "../domain/shared/ids.ts";
import { systemClock } from "../infrastructure/clock.ts";
import { addressPolicy } from "../infrastructure/http/address-guard.ts";
import { guardedHttpClient } from "../infrastructure/http/guarded-http-client.ts";
import { systemIds } from "../infrastructure/ids.ts";
import { temporaryFolder } from "../infrastructure/own-processes.ts";
import { startEmbeddedPostgres } from "../infrastructure/postgres/embedded/embedded-postgres.ts";
import { migrate } from "../infrastructure/postgres/migrations/migrate.ts";
import { secretBox } from "../infrastructure/secrets.ts";
import { attemptSender } from "../infrastructure/webhook/delivery/attempt.ts";
import { postgresDeliveryStore } from "../infrastructure/webhook/delivery/postgres-delivery-store.ts";
import { postgresOutbox } from "../infrastructure/webhook/outbox/postgres-outbox.ts";
import { postgresWebhookSettings } from "../infrastructure/webhook/settings/postgres-webhook-settings.ts";

export type Count = { readonly verified: number; readonly refused: number; readonly different: number };

/**
 * The real outbox and loop over an embedded PostgreSQL with fsync, and a receiver process that
 * verifies every signature.
 */
export type WebhookBench = {
  readonly pool: pg.Pool;
  readonly port: number;
  readonly secrets: Readonly<Record<string, string>>;
  readonly outbox: WebhookOutbox;
  /** The loop runs only while `work` does. */
  delivering(work: () => Promise<void>): Promise<void>;
  entries(count: number): OutboxEntry[];
  received(): Promise<Count>;
  /** Empties the outbox and the receiver's counts. */
  reset(): Promise<void>;
  stop(): Promise<void>;
};

export async function openWebhookBench(endpoints: number): Promise<WebhookBench> {
  const folder = temporaryFolder("ringfold-bench-");
  // As root the server runs as another user, who needs access.
  chmodSync(folder, 0o755);
  const server = await startEmbeddedPostgres({ dataDir: join(folder, "data") });
  const pool = new pg.Pool({ ...server.connection, max: 10 });
  // A connection that is cut while idle needs no report.
  pool.on("error", () => undefined);
  await migrate(pool);
  const receiver = fork(new URL("webhook-receiver.ts", import.meta.url), { execPath: process.execPath });
  const port = await portOf(receiver);
  const policy = addressPolicy(["127.0.0.0/8"]);
  const resolve = () => Promise.reject(new Error("no names here"));
  const client = guardedHttpClient({ policy, resolve, ca: undefined });
  const deps = {
    pool,
    box: secretBox(Buffer.alloc(32, 1)),
    clock: systemClock,
    ids: systemIds,
    sendAttempt: attemptSender(client),
  };
  let loop: DeliveryLoop | null = null;
  const settings = postgresWebhookSettings({ ...deps, policy, resolve, onChange: () => undefined });
  const outbox = postgresOutbox({ ...deps, onQueued: (owners) => loop?.wake(owners) });
  const owners: OwnerId[] = Array.from({ length: endpoints }, () => systemIds.next("usr"));
  const secrets: Record<string, string> = {};
  for (const [index, owner] of owners.entries()) {
    await settings.put(owner, { url: `http://127.0.0.1:${port}/${index}`, enabled: true, events: null });
    secrets[`/${index}`] = await settings.secret(owner);
  }
  const ask = async (order: object): Promise<Count> => {
    receiver.send(order);
    const [answer]: Count[] = await once(receiver, "message");
    if (answer === undefined) throw new Error("the receiver did not answer");
    return answer;
  };
  await ask({ secrets });
  return {
    pool,
    port,
    secrets,
    outbox,
    async delivering(work) {
      const running = newLoop(deps);
      loop = running;
      running.start();
      await work();
      loop = null;
      await running.stop();
    },
    entries: (count) => Array.from({ length: count }, (_, index) => entryFor(owners, index)),
    received: () => ask({ report: true }),
    async reset() {
      await pool.query("truncate work.webhook_messages, work.webhook_deliveries, work.webhook_attempts");
      await pool.query("checkpoint");
      await ask({ reset: true });
    },
    async stop() {
      client.close();
      receiver.disconnect();
      await pool.end();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function newLoop(
  deps: Omit<Parameters<typeof deliveryLoop>[0], "store" | "random" | "logger" | "metrics" | "worker"> & {
    pool: pg.Pool;
    box: ReturnType<typeof secretBox>;
  },
): DeliveryLoop {
  const quiet = (): void => undefined;
  const logger = {
    debug: quiet,
    info: quiet,
    warn: console.error,
    error: console.error,
  };
  return deliveryLoop({
    sendAttempt: deps.sendAttempt,
    clock: deps.clock,
    store: postgresDeliveryStore(deps.pool, deps.box),
    random: Math.random,
    logger,
    metrics: { count: quiet, gauge: quiet, gauges: quiet, observe: quiet },
    worker: "bench",
  });
}

async function portOf(receiver: ChildProcess): Promise<number> {
  const [hello]: { port: number }[] = await once(receiver, "message");
  if (hello === undefined) throw new Error("the receiver did not start");
  return hello.port;
}

/** The body of a call.ended of an ordinary call: 2 KB. */
export function benchBody(callId: string): string {
  const head = JSON.stringify({ event: "call.ended", data: { callId, text: "" } });
  return JSON.stringify({ event: "call.ended", data: { callId, text: "x".repeat(2_048 - head.length) } });
}

function entryFor(owners: readonly OwnerId[], index: number): OutboxEntry {
  const callId = systemIds.next("call");
  return {
    eventId: systemIds.uuid(),
    owner: owners[index % owners.length] ?? "usr_none",
    kind: "call.ended",
    callId,
    campaignId: null,
    sequence: 2,
    occurredAt: systemClock.now(),
    body: benchBody(callId),
  };
}
