import { afterEach, beforeEach, expect, it } from "vitest";
import { createPostgresSessionPresence } from "../../../infrastructure/postgres/session-presence.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { migratedDatabase } from "../../support/database.ts";
import type { TestDatabase } from "../../support/postgres.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await migratedDatabase();
});
afterEach(() => database.drop());

const presence = (process: string) => createPostgresSessionPresence(database.pool, process, silentLogger);

it("tells all calls of a process, and forgets those that ended", async () => {
  const here = presence("one");
  here.begun("call_1");
  here.begun("call_2");
  await here.flush();
  const first = await here.seenAt("call_1");
  expect(first).not.toBeNull();
  here.ended("call_1");
  await here.flush();
  expect(await here.seenAt("call_1")).toBeNull();
  expect((await here.seenAt("call_2")) ?? "").toMatch(/Z$/);
  await here.stop();
});

it("writes nothing of a call that ended before it was told", async () => {
  const here = presence("one");
  here.begun("call_1");
  here.ended("call_1");
  await here.flush();
  expect(await here.seenAt("call_1")).toBeNull();
  await here.stop();
});

it("leaves a call that another process has taken up", async () => {
  const [dying, next] = [presence("one"), presence("two")];
  dying.begun("call_1");
  await dying.flush();
  next.begun("call_1");
  await next.flush();
  dying.ended("call_1");
  await dying.flush();
  expect(await next.seenAt("call_1")).not.toBeNull();
  await Promise.all([dying.stop(), next.stop()]);
});

it("tells which calls are lost, those that nobody is known to talk on, and forgets what is over", async () => {
  const [dying, looking] = [presence("one"), presence("two")];
  dying.begun("call_1");
  dying.begun("call_2");
  await dying.flush();
  await database.pool.query(
    "update work.sessions set seen_at = seen_at - interval '7 s' where call_id = 'call_1'",
  );
  expect(await looking.lost(6_000, 10)).toEqual(["call_1"]);
  expect(await looking.unknown(["call_2", "call_3"])).toEqual(["call_3"]);
  await dying.forget("call_1");
  expect(await looking.lost(6_000, 10)).toEqual(["call_1"]);
  await looking.forget("call_1");
  expect(await looking.lost(6_000, 10)).toEqual([]);
  await Promise.all([dying.stop(), looking.stop()]);
});
