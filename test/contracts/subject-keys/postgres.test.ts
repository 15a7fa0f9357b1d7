import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CallId } from "../../../domain/shared/ids.ts";
import { createPostgresAdmission } from "../../../infrastructure/account/admission/postgres-admission.ts";
import {
  createPostgresSubjectKeys,
  type SubjectKeyRing,
} from "../../../infrastructure/account/subject-keys/postgres-subject-keys.ts";
import { createNotifications } from "../../../infrastructure/postgres/notifications.ts";
import { secretBox } from "../../../infrastructure/secrets.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { type WorkDatabase, workDatabase } from "../../support/work-database.ts";
import { subjectKeysContract } from "./subject-keys-contract.ts";

const box = secretBox(Buffer.alloc(32, 1));
const OWNER = "usr_1";

/** Calls are admitted as the service does it: their keys come with their slots. */
async function openWorld() {
  const database = await workDatabase();
  const { pool, notifications } = database;
  await pool.query("insert into config.users values ($1, $1, 100, 1000, true, now(), now())", [OWNER]);
  const keys = createPostgresSubjectKeys(pool, box);
  keys.hear(notifications);
  const admission = createPostgresAdmission({ pool, notifications, logger: silentLogger, keys });
  await admission.topUp(OWNER, 1_000_000, "start");
  const admit = async (subject: string): Promise<Uint8Array> => {
    await admission.admit({
      owner: OWNER,
      campaignId: null,
      candidates: [{ callId: subject as CallId, phoneNumber: "+12025550100", windowClosesAt: null }],
      pricePerMinute: 1,
      maxConcurrentCalls: null,
      maxCallsPerSecond: null,
      connection: null,
    });
    const key = (await keys.of([subject])).get(subject);
    return key?.kind === "open" ? key.key : new Uint8Array();
  };
  return {
    database,
    keys,
    admission,
    admit,
    erase: (subject: string) => eraseRow(database, keys, subject),
    lose: async (subject: string) => {
      await pool.query("delete from config.subject_keys where subject = $1", [subject]);
      keys.forget([subject]);
    },
    end: async () => {
      admission.stop();
      await database.drop();
    },
  };
}

async function eraseRow({ pool }: WorkDatabase, keys: SubjectKeyRing, subject: string): Promise<void> {
  await pool.query("update config.subject_keys set sealed_key = null, erased_at = now() where subject = $1", [
    subject,
  ]);
  keys.forget([subject]);
}

subjectKeysContract(openWorld);

describe("the keys of a service", () => {
  let world: Awaited<ReturnType<typeof openWorld>>;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.end());

  it("are stored by the transaction that opens the slot, and are not readable in it", async () => {
    const key = await world.admit("call_once");
    const { rows } = await world.database.pool.query<{ same: boolean; sealed_key: Buffer }>(
      `select k.xmin = s.xmin as same, k.sealed_key from config.subject_keys k
       join work.call_slots s on s.call_id = k.subject where k.subject = 'call_once'`,
    );
    expect(rows[0]?.same).toBe(true);
    expect(rows[0]?.sealed_key.includes(Buffer.from(key))).toBe(false);
    expect(rows[0]?.sealed_key.includes(Buffer.from(key).toString("base64"))).toBe(false);
  });

  it("are stored for a call whose slot was lost as well", async () => {
    const at = "2026-11-20T10:00:00.000Z";
    const slot = { callId: "call_lost", owner: OWNER, campaignId: null, dialAt: at, dialBy: at } as const;
    await world.admission.ensure({ ...slot, phoneNumber: "+12025550100", nextLookAt: at }, 1);
    expect((await world.keys.of(["call_lost"])).get("call_lost")).toMatchObject({ kind: "open" });
  });

  it("do not stay open in another process when they are erased", async () => {
    const { database } = world;
    await world.admit("call_shared");
    const notifications = createNotifications(database.pool, silentLogger);
    await notifications.start();
    const other = createPostgresSubjectKeys(database.pool, box);
    other.hear(notifications);
    try {
      expect((await other.of(["call_shared"])).get("call_shared")).toMatchObject({ kind: "open" });
      await world.erase("call_shared");
      await eventually("the other process hears of it", async () => {
        const found = await other.of(["call_shared"]);
        return found.get("call_shared")?.kind === "erased";
      });
    } finally {
      await notifications.close();
    }
  });

  it("are asked for each time where nobody would say that they are erased", async () => {
    const { database } = world;
    await world.admit("call_asked");
    const tool = createPostgresSubjectKeys(database.pool, box);
    expect((await tool.of(["call_asked"])).get("call_asked")).toMatchObject({ kind: "open" });
    await world.erase("call_asked");
    expect((await tool.of(["call_asked"])).get("call_asked")).toEqual({ kind: "erased" });
  });

  it("do not open with another SECRETS_KEY, nor in another row", async () => {
    const { pool } = world.database;
    await world.admit("call_mine");
    await world.admit("call_yours");
    const stranger = createPostgresSubjectKeys(pool, secretBox(Buffer.alloc(32, 2)));
    expect((await stranger.of(["call_mine"])).get("call_mine")).toEqual({ kind: "unusable" });
    await pool.query(
      `update config.subject_keys set sealed_key =
        (select sealed_key from config.subject_keys where subject = 'call_yours') where subject = 'call_mine'`,
    );
    const again = createPostgresSubjectKeys(pool, box);
    expect((await again.of(["call_mine"])).get("call_mine")).toEqual({ kind: "unusable" });
  });

  it("are drawn when first asked for by calls that were live before there were keys", async () => {
    const { pool } = world.database;
    await pool.query("insert into config.subject_keys (subject, owner_id) values ('call_before', $1)", [
      OWNER,
    ]);
    const [one, other] = [createPostgresSubjectKeys(pool, box), createPostgresSubjectKeys(pool, box)];
    const found = await Promise.all([one.of(["call_before"]), other.of(["call_before"])]);
    const [first, second] = found.map((each) => each.get("call_before"));
    expect(first).toMatchObject({ kind: "open" });
    expect(second).toEqual(first);
  });

  it("are none in a database from before", async () => {
    const { pool } = world.database;
    await pool.query("alter table config.subject_keys rename to elsewhere");
    expect(await createPostgresSubjectKeys(pool, box).of(["call_1"])).toEqual(new Map());
    await pool.query("alter table config.elsewhere rename to subject_keys");
  });
});
