import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Pool } from "undici";
import { signedHeaders } from "../../infrastructure/webhook/signature.ts";
import { alternate, type Benchmark, perSecond, type Result } from "../benchmark.ts";
import { benchBody, openWebhookBench, type WebhookBench } from "../webhook-bench.ts";

const ENDPOINTS = 32;
const DELIVERIES = 20_000;
const BACKLOG = 100_000;
const PEER_SOCKETS = 64;

/**
 * Durable, signed deliveries that a receiver process verifies, compared with an undici Pool that posts the
 * same requests and stores nothing.
 */
export const benchmark: Benchmark = { name: "webhooks", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const bench = await openWebhookBench(ENDPOINTS);
  try {
    log(`deliveries: ${DELIVERIES} a run`);
    const rates = await alternate([
      { name: "ringfold", run: () => drain(bench, DELIVERIES) },
      { name: "undici Pool, no persistence", run: () => postWithPool(bench, DELIVERIES) },
    ]);
    log("latency at full load");
    const latency = await fullLoad(bench, DELIVERIES);
    log(`backlog of ${BACKLOG}`);
    const backlog = await drainBacklog(bench);
    return {
      benchmark: "webhooks",
      settings: await settingsOf(bench),
      rows: [
        row("deliveries: durable, signed, verified by the receiver", "1/s", rates, 5_000, "≥"),
        row(
          "at full load, while events are queued: deliveries",
          "1/s",
          { ringfold: latency.rate },
          null,
          "≥",
        ),
        row(
          "at full load: queueing to recorded acknowledgement, p50",
          "ms",
          { ringfold: latency.p50 },
          null,
          "≤",
        ),
        row(
          "at full load: queueing to recorded acknowledgement, p99",
          "ms",
          { ringfold: latency.p99 },
          500,
          "≤",
        ),
        row(
          `backlog of ${BACKLOG.toLocaleString("en")}: deliveries`,
          "1/s",
          { ringfold: backlog.rate },
          null,
          "≥",
        ),
        row(
          "the same: memory at its highest above that after a tenth",
          "MB",
          { ringfold: backlog.growthMb },
          64,
          "≤",
        ),
      ],
    };
  } finally {
    await bench.stop();
  }
}

function row(
  what: string,
  unit: string,
  medians: Record<string, number>,
  bound: number | null,
  side: "≥" | "≤",
) {
  const ours = medians["ringfold"] ?? Number.NaN;
  const reached = bound === null ? null : side === "≥" ? ours >= bound : ours <= bound;
  return {
    what,
    unit,
    medians,
    goal: bound === null ? null : `${side} ${bound.toLocaleString("en")}`,
    reached,
  };
}

async function settingsOf(bench: WebhookBench): Promise<Result["settings"]> {
  const { rows } = await bench.pool.query<{ name: string; setting: string }>(
    "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'server_version') order by name",
  );
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL("../../node_modules/undici/package.json", import.meta.url), "utf8"),
  );
  return {
    ...Object.fromEntries(rows.map(({ name, setting }) => [name, setting])),
    pool: bench.pool.options.max ?? 10,
    endpoints: ENDPOINTS,
    body: "2 KB",
    undici: `${version} (Pool of ${PEER_SOCKETS}, signed the same way)`,
  };
}

/** Everything is queued before the clock starts; it stops when the receiver has verified everything. */
async function drain(bench: WebhookBench, count: number): Promise<number> {
  await bench.reset();
  await enqueue(bench, count);
  let rate = Number.NaN;
  await bench.delivering(async () => {
    rate = await perSecond(count, () => verified(bench, count));
  });
  await requireAll(bench, count);
  return rate;
}

async function enqueue(bench: WebhookBench, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 500)
    await bench.outbox.enqueue(bench.entries(Math.min(left, 500)));
}

async function verified(bench: WebhookBench, count: number): Promise<void> {
  while ((await bench.received()).verified < count) await pause(10);
}

/** Each event once, verified and recorded; otherwise the figure is invalid. */
async function requireAll(bench: WebhookBench, count: number): Promise<void> {
  const received = await bench.received();
  const stored = await bench.pool.query<{ n: number }>(
    "select count(*)::int as n from work.webhook_deliveries where status = 'delivered'",
  );
  const recorded = stored.rows[0]?.n;
  if (received.different !== count || received.refused > 0 || recorded !== count) {
    throw new Error(`of ${count}: ${JSON.stringify(received)} received, ${recorded} recorded as delivered`);
  }
}

async function postWithPool(bench: WebhookBench, count: number): Promise<number> {
  await bench.reset();
  const pool = new Pool(`http://127.0.0.1:${bench.port}`, { connections: PEER_SOCKETS });
  let next = 0;
  const post = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      const path = `/${index % ENDPOINTS}`;
      const id = String(index);
      const body = Buffer.from(benchBody(id));
      const secrets = { current: bench.secrets[path] ?? "", next: null };
      const headers = signedHeaders(secrets, { eventId: id, deliveryId: id, attempt: 1, body }, Date.now());
      const answer = await pool.request({ path, method: "POST", headers: { ...headers }, body });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`the receiver answered ${answer.statusCode}`);
    }
  };
  const rate = await perSecond(count, () => Promise.all(Array.from({ length: PEER_SOCKETS }, post)));
  await pool.close();
  return rate;
}

/** Producers that queue as fast as deliveries are sent: never more than 1,000 ahead. */
async function fullLoad(
  bench: WebhookBench,
  count: number,
): Promise<{ rate: number; p50: number; p99: number }> {
  await bench.reset();
  let rate = Number.NaN;
  await bench.delivering(async () => {
    rate = await perSecond(count, async () => {
      for (let queued = 0; queued < count; queued += 100) {
        while (queued - (await bench.received()).verified > 900) await pause(2);
        await bench.outbox.enqueue(bench.entries(100));
      }
      await verified(bench, count);
    });
  });
  await requireAll(bench, count);
  const { rows } = await bench.pool.query<{ p50: number; p99: number }>(`
    select percentile_cont(0.5) within group (order by ms) as p50, percentile_cont(0.99) within group (order by ms) as p99
    from (select extract(epoch from delivered_at - created_at)::float8 * 1000 as ms from work.webhook_deliveries) times`);
  return { rate, p50: rows[0]?.p50 ?? Number.NaN, p99: rows[0]?.p99 ?? Number.NaN };
}

async function drainBacklog(bench: WebhookBench): Promise<{ rate: number; growthMb: number }> {
  await bench.reset();
  await enqueue(bench, BACKLOG);
  let base = 0;
  let highest = 0;
  let rate = Number.NaN;
  const sample = async (): Promise<void> => {
    for (;;) {
      const { verified: done } = await bench.received();
      const { rss } = process.memoryUsage();
      if (base === 0 && done >= BACKLOG / 10) base = rss;
      highest = Math.max(highest, rss);
      if (done >= BACKLOG) return;
      await pause(50);
    }
  };
  await bench.delivering(async () => {
    rate = await perSecond(BACKLOG, sample);
  });
  await requireAll(bench, BACKLOG);
  return { rate, growthMb: (highest - base) / 2 ** 20 };
}
