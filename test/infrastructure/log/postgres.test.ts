import { afterAll, beforeAll, expect, it } from "vitest";
import { eventStoreContract } from "../../contracts/event-store/event-store-contract.ts";
import { writerStorm } from "../../contracts/event-store/writer-storm.ts";
import { openNaiveLog } from "../../support/event-store/naive-log.ts";
import {
  type PostgresLogCluster,
  startPostgresLogCluster,
} from "../../support/event-store/postgres-log-cluster.ts";

let cluster: PostgresLogCluster;
beforeAll(async () => {
  cluster = await startPostgresLogCluster();
});
afterAll(() => cluster.stop());

eventStoreContract("PostgreSQL", () => cluster.harness(), {
  restart: true,
  foreignTransactions: true,
  refusesRepeatedIds: true,
  removedStreams: false,
});

it("32, the proof: a reader at `position > last` over a bare sequence loses events in the same storm", async () => {
  const naive = await openNaiveLog(await cluster.emptyLog());
  const { lost, written } = await writerStorm([naive], naive);
  await naive.close();
  expect(written).toBe(4_000);
  expect(lost).toBeGreaterThan(0);
}, 120_000);
