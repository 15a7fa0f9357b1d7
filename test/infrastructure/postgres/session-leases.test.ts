import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SessionLeases } from "../../../application/ports/session-leases.ts";
import { createPostgresSessionLeases } from "../../../infrastructure/postgres/session-leases.ts";
import { migratedDatabase } from "../../support/database.ts";
import type { TestDatabase } from "../../support/postgres.ts";

describe("leases of sessions", () => {
  let database: TestDatabase;
  let one: SessionLeases;
  let other: SessionLeases;
  beforeEach(async () => {
    database = await migratedDatabase();
    one = createPostgresSessionLeases(database.pool, "one");
    other = createPostgresSessionLeases(database.pool, "other");
  });
  afterEach(() => database.drop());

  /** As if so much time had passed since each lease was last renewed. */
  const pass = (seconds: number) =>
    database.pool.query("update work.sessions set until = until - make_interval(secs => $1)", [seconds]);

  it("are abandoned 6 s after their process last renewed them, and not before", async () => {
    await one.take({ callId: "call_1", epoch: 1 });
    await other.take({ callId: "call_2", epoch: 1 });
    await pass(5);
    expect(await one.abandoned(10)).toEqual([]);
    await other.renew();
    await pass(2);
    expect(await other.abandoned(10)).toEqual([{ callId: "call_1", epoch: 1 }]);
    await one.renew();
    expect(await other.abandoned(10)).toEqual([]);
  });

  it("go to the newer session, and nobody drops a newer one for an older", async () => {
    await one.take({ callId: "call_1", epoch: 1 });
    await other.take({ callId: "call_1", epoch: 2 });
    await one.take({ callId: "call_1", epoch: 1 });
    await one.drop({ callId: "call_1", epoch: 1 });
    await pass(7);
    expect(await one.abandoned(10)).toEqual([{ callId: "call_1", epoch: 2 }]);
    await other.drop({ callId: "call_1", epoch: 2 });
    expect(await one.abandoned(10)).toEqual([]);
  });

  it("are told in portions, the longest abandoned first", async () => {
    await one.take({ callId: "call_1", epoch: 1 });
    await pass(1);
    await one.take({ callId: "call_2", epoch: 1 });
    await pass(7);
    expect(await other.abandoned(1)).toEqual([{ callId: "call_1", epoch: 1 }]);
  });
});
