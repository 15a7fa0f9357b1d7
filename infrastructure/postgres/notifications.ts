import { randomUUID } from "node:crypto";
import pg from "pg";
import type { Logger } from "../../application/ports/logger.ts";
import type { Notifications, Subscriber } from "../../application/ports/notifications.ts";
import { systemClock } from "../clock.ts";
import { listenUntilStopped } from "../listener.ts";

const GATHER_MILLIS = 5;
/** PostgreSQL takes payloads below 8,000 bytes. */
const PAYLOAD_BYTES = 7_000;
const CHANNEL = "ringfold";

type Telling = readonly [topic: string, message: string];

export function createNotifications(pool: pg.Pool, logger: Logger): Notifications {
  const here = randomUUID();
  const subscribers = new Map<string, Set<Subscriber>>();
  const outgoing: Telling[] = [];
  const stop = new AbortController();
  let listening = false;
  let loop: Promise<void> = Promise.resolve();
  let sending: Promise<void> | null = null;

  const tellGap = (): void => {
    for (const topic of subscribers.values()) for (const { onGap } of topic) onGap?.();
  };
  const listen = (ready: () => void): Promise<void> =>
    listenUntilStopped({
      channel: CHANNEL,
      connect: () => connect(pool),
      signal: stop.signal,
      onListening() {
        listening = true;
        tellGap();
        ready();
      },
      onNotification: (payload) => deliver(subscribers, here, payload),
      onLost() {
        listening = false;
      },
      onFailure: (error) =>
        logger.warn({ problem: String(error) }, "notifications of other processes are not heard"),
    });
  const send = async (): Promise<void> => {
    await systemClock.sleep(GATHER_MILLIS);
    while (outgoing.length > 0) await tellOthers(pool, logger, nextPayload(here, outgoing));
    sending = null;
  };
  return {
    subscribe: (topic, subscriber) => {
      const those = subscribers.get(topic) ?? new Set();
      subscribers.set(topic, those.add(subscriber));
      return () => {
        those.delete(subscriber);
      };
    },
    tell: (topic, message) => {
      outgoing.push([topic, message]);
      if (!stop.signal.aborted) sending ??= send();
    },
    listening: () => listening,
    start: () =>
      new Promise((ready) => {
        loop = listen(ready);
      }),
    close: async () => {
      stop.abort();
      await Promise.all([loop, sending]);
    },
  };
}

function deliver(
  subscribers: ReadonlyMap<string, ReadonlySet<Subscriber>>,
  here: string,
  payload: string | undefined,
): void {
  const [from, ...tellings] = parsePayload(payload);
  if (from === here) return;
  for (const [topic, message] of tellings) {
    for (const { onMessage } of subscribers.get(topic) ?? []) onMessage(message);
  }
}

async function connect(pool: pg.Pool): Promise<pg.Client> {
  const client = new pg.Client(pool.options);
  client.on("error", () => undefined); // the listener learns of it by `end`
  await client.connect();
  return client;
}

/** At most once: what could not be told is not told again. */
async function tellOthers(pool: pg.Pool, logger: Logger, payload: string): Promise<void> {
  await pool.query("select pg_notify($1, $2)", [CHANNEL, payload]).catch((error: unknown) => {
    logger.debug({ problem: String(error) }, "other processes could not be told");
  });
}

function nextPayload(here: string, outgoing: Telling[]): string {
  let bytes = 0;
  let count = 0;
  for (const [topic, message] of outgoing) {
    bytes += Buffer.byteLength(JSON.stringify([topic, message])) + 1;
    if (count > 0 && bytes > PAYLOAD_BYTES) break;
    count += 1;
  }
  return JSON.stringify([here, ...outgoing.splice(0, count)]);
}

function parsePayload(payload: string | undefined): readonly [string, ...Telling[]] {
  return JSON.parse(payload ?? '[""]') as readonly [string, ...Telling[]];
}
