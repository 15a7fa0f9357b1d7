import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { Notifications } from "../../../../application/ports/notifications.ts";
import { createNotifications } from "../../../../infrastructure/postgres/notifications.ts";
import { eventually } from "../../../../simulation/drills/eventually.ts";
import { silentLogger } from "../../../../simulation/memory/silent.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/postgres.ts";

let database: TestDatabase;
let here: Notifications;
let there: Notifications;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  here = createNotifications(database.pool, silentLogger);
  there = createNotifications(database.pool, silentLogger);
  await Promise.all([here.start(), there.start()]);
});
afterEach(() => Promise.all([here.close(), there.close()]));

const hearing = (notifications: Notifications, topic: string) => {
  const heard: string[] = [];
  const stop = notifications.subscribe(topic, { onMessage: (message) => heard.push(message) });
  return { heard, stop };
};
const cutListeners = () =>
  database.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and datname = current_database()",
  );

it("brings messages of a topic to other processes, in their order, and to nobody else", async () => {
  const { heard } = hearing(there, "a");
  const own = hearing(here, "a");
  const other = hearing(there, "b");
  for (const message of ["1", "2", "3"]) here.tell("a", message);
  await eventually("the messages", () => heard.length === 3);
  expect([heard, own.heard, other.heard]).toEqual([["1", "2", "3"], [], []]);
});

it("brings what is longer than one payload may be", async () => {
  const { heard } = hearing(there, "a");
  const messages = Array.from({ length: 2_000 }, (_, index) => `${index} ${"x".repeat(30)} é☎`);
  for (const message of messages) here.tell("a", message);
  await eventually("the messages", () => heard.length === messages.length);
  expect(heard).toEqual(messages);
});

it("brings nothing after it was unsubscribed", async () => {
  const gone = hearing(there, "a");
  const { heard } = hearing(there, "a");
  gone.stop();
  here.tell("a", "1");
  await eventually("the message", () => heard.length === 1);
  expect(gone.heard).toEqual([]);
});

it("says that it does not listen while the connection is gone, and that something may have been missed after it", async () => {
  let gaps = 0;
  there.subscribe("a", { onMessage: () => undefined, onGap: () => (gaps += 1) });
  expect(there.listening()).toBe(true);
  await cutListeners();
  await eventually("the loss", () => !there.listening());
  await eventually("the new connection", () => there.listening());
  expect(gaps).toBe(1);
  const { heard } = hearing(there, "a");
  here.tell("a", "after");
  await eventually("the message", () => heard.includes("after"));
});

it("listens to nothing after it was closed", async () => {
  await there.close();
  expect(there.listening()).toBe(false);
});
