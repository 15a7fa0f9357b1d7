import process from "node:process";
import pg from "pg";
import type { Clock } from "../../application/ports/clock.ts";
import { deliveryLoop } from "../../application/webhook/delivery/delivery-loop.ts";
import { instantFromMillis } from "../../domain/shared/instant.ts";
import { systemClock } from "../../infrastructure/clock.ts";
import { addressPolicy } from "../../infrastructure/http/address-guard.ts";
import { guardedHttpClient } from "../../infrastructure/http/guarded-http-client.ts";
import { secretBox } from "../../infrastructure/secrets.ts";
import { attemptSender } from "../../infrastructure/webhook/delivery/attempt.ts";
import { postgresDeliveryStore } from "../../infrastructure/webhook/delivery/postgres-delivery-store.ts";
import { silentLogger, silentMetrics } from "../../simulation/memory/silent.ts";

/**
 * A process that only delivers, to be killed: arguments are the database and the speed of its clock
 * (waits of the schedule and of recovery pass so many times faster; leases and sockets do not), and
 * its name among workers.
 */
const [connectionString = "", speed = "1", worker = "the-worker"] = process.argv.slice(2);
const factor = Number(speed);
const fast = (millis: number): number => millis * factor;

const clock: Clock = {
  now: () => instantFromMillis(Math.round(fast(Date.now()))),
  nowMillis: () => Math.round(fast(Date.now())),
  monotonicMillis: () => fast(performance.now()),
  sleep: (millis, signal) => systemClock.sleep(millis / factor, signal),
};

const pool = new pg.Pool({ connectionString, max: 5 });
const loop = deliveryLoop({
  store: postgresDeliveryStore(pool, secretBox(Buffer.alloc(32, 1))),
  sendAttempt: attemptSender(
    guardedHttpClient({
      policy: addressPolicy(["127.0.0.0/8"]),
      resolve: () => Promise.reject(new Error("no names here")),
      ca: undefined,
    }),
  ),
  clock,
  random: Math.random,
  logger: silentLogger,
  metrics: silentMetrics,
  worker,
});
loop.start();
