import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { NewRehearsal, Rehearsals, TakeLimits } from "../../../application/ports/rehearsals.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import {
  createPostgresSubjectKeys,
  type SubjectKeyRing,
} from "../../../infrastructure/account/subject-keys/postgres-subject-keys.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { postgresRehearsals } from "../../../infrastructure/rehearsal/postgres-rehearsals.ts";
import { secretBox } from "../../../infrastructure/secrets.ts";
import { migratedDatabase } from "../../support/database.ts";
import { tablesWith } from "../../support/database-text.ts";
import type { TestDatabase } from "../../support/postgres.ts";
import { MARK, newRehearsal, playedRun } from "./example-rehearsal.ts";

const ALL = { caseIndex: null, lane: null, status: null };
const PAGE = { limit: 50, after: null };
const NOTHING = { inputTokens: 0, outputTokens: 0 };

let database: TestDatabase;
let keys: SubjectKeyRing;
let rehearsals: Rehearsals;
let owner: OwnerId;
beforeAll(async () => {
  database = await migratedDatabase();
  keys = createPostgresSubjectKeys(database.pool, secretBox(new Uint8Array(32)));
  rehearsals = postgresRehearsals(database.pool, keys);
});
afterAll(() => database.drop());
beforeEach(async () => {
  owner = systemIds.next("usr");
  await database.pool.query("delete from work.rehearsals");
});

const limits = (changes: Partial<TakeLimits> = {}): TakeLimits => ({
  ...{ holder: "one", ttlMillis: 60_000, mostOfOwner: 4, notOwners: [], notConnections: [] },
  ...changes,
});

async function begun(wanted: Omit<Parameters<typeof newRehearsal>[0], "owner"> = {}): Promise<NewRehearsal> {
  const made = newRehearsal({ owner, ...wanted });
  expect(await rehearsals.begin(made)).toMatchObject({ kind: "begun", rehearsal: { id: made.id } });
  return made;
}

async function taken(changes: Partial<TakeLimits> = {}) {
  const run = await rehearsals.take(limits(changes));
  if (run === null) throw new Error("there is no run to take");
  return run;
}

/** Takes and finishes all runs that can be taken. */
async function playAll(changes: Parameters<typeof playedRun>[0] = {}): Promise<void> {
  for (let run = await rehearsals.take(limits()); run !== null; run = await rehearsals.take(limits()))
    await rehearsals.finish(run, "one", playedRun(changes));
}

const tokensOfDay = async () => {
  const { rows } = await database.pool.query<{ tokens: number }>(
    `select sum(input_tokens + output_tokens)::integer as tokens from work.rehearsal_tokens
     where owner_id = $1 and day = to_char(now() at time zone 'UTC', 'YYYY-MM-DD')`,
    [owner],
  );
  return rows[0]?.tokens ?? 0;
};

describe("a rehearsal", () => {
  it("is shown with its cases by lane, and what came of their runs", async () => {
    const { id, words, ...made } = await begun({ baseline: true, repeat: 2 });
    const first = await taken();
    expect(first).toMatchObject({ caseIndex: 0, lane: "candidate", n: 1, begun: 1, connectionIds: [null] });
    expect(first.words).toEqual({ case: words.cases[0], line: words.lines.candidate });
    await rehearsals.finish(first, "one", playedRun({ status: "failed" }));
    expect(await rehearsals.find(owner, id)).toMatchObject({
      ...{ name: made.name, assistantId: "ast_1", squadId: null, version: "draft", draftHash: "00" },
      ...{ status: "running", waitingFor: null, endedBecause: null, endedAt: null, erased: false },
      ...{ inputTokens: 100, outputTokens: 20, createdAt: made.createdAt, actor: "key_1" },
      counts: { waiting: 7, running: 0, passed: 0, failed: 1, error: 0, cancelled: 0 },
      byCase: [
        {
          caseIndex: 0,
          name: `${MARK} 0`,
          lane: "candidate",
          passAt: 0.5,
          counts: { waiting: 1, failed: 1 },
        },
        { caseIndex: 0, name: `${MARK} 0`, lane: "baseline", counts: { waiting: 2 } },
        { caseIndex: 1, name: `${MARK} 1`, lane: "candidate", counts: { waiting: 2 } },
        { caseIndex: 1, name: `${MARK} 1`, lane: "baseline", counts: { waiting: 2 } },
      ],
    });
    expect(await rehearsals.given(owner, id)).toEqual(words.given);
  });

  it("has its runs by case, lane and number, those asked for, and shows their messages alone", async () => {
    const { id } = await begun({ baseline: true, repeat: 2 });
    await rehearsals.finish(await taken(), "one", playedRun());
    const of = async (filter: object, page: object = PAGE) =>
      (await rehearsals.runs(owner, id, { ...ALL, ...filter }, { ...PAGE, ...page })).rows;
    const all = await of({});
    expect(all.map(({ caseIndex, lane, n }) => `${caseIndex} ${lane} ${n}`)).toEqual([
      ...["0 candidate 1", "0 candidate 2", "0 baseline 1", "0 baseline 2"],
      ...["1 candidate 1", "1 candidate 2", "1 baseline 1", "1 baseline 2"],
    ]);
    expect(await of({}, { limit: 3, after: 1 })).toEqual(all.slice(2, 5));
    expect(await of({ caseIndex: 1, lane: "baseline" })).toEqual(all.slice(6));
    const { messages, ...result } = playedRun();
    expect(await of({ status: "passed" })).toEqual([{ ...all[0], caseName: `${MARK} 0`, played: result }]);
    const first = all[0]?.runId ?? "run_none";
    expect(await rehearsals.run(owner, id, first)).toEqual({ ...all[0], messages });
  });

  it("is nobody's but its owner's", async () => {
    const other = systemIds.next("usr");
    const { id, runs } = await begun();
    const run = runs[0]?.runId ?? "run_none";
    expect(await rehearsals.find(other, id)).toBeNull();
    expect(await rehearsals.given(other, id)).toBeNull();
    expect(await rehearsals.list(other, PAGE)).toEqual({ rows: [], next: null });
    expect(await rehearsals.runs(other, id, ALL, PAGE)).toEqual({ rows: [], next: null });
    expect(await rehearsals.run(other, id, run)).toBeNull();
    expect(await rehearsals.cancel(other, id, "cancelled")).toBeNull();
    expect(await rehearsals.delete(other, id)).toBe(false);
    expect(await rehearsals.find(owner, id)).toMatchObject({ status: "running", counts: { waiting: 2 } });
  });

  it("is stored once for its id, and listed with the newest first", async () => {
    const first = await begun();
    expect(await rehearsals.begin(first)).toMatchObject({ kind: "begun", rehearsal: { id: first.id } });
    const second = await begun();
    const { rows, next } = await rehearsals.list(owner, { limit: 1, after: null });
    expect([rows.map(({ id }) => id), next]).toEqual([[second.id], second.id]);
    const rest = await rehearsals.list(owner, { limit: 1, after: second.id });
    expect([rest.rows.map(({ id }) => id), rest.next]).toEqual([[first.id], null]);
  });

  it("is not the 21st of its owner that has not ended", async () => {
    const made: NewRehearsal[] = [];
    for (let count = 0; count < 20; count += 1) made.push(await begun({ cases: 1 }));
    const late = [newRehearsal({ owner, cases: 1 }), newRehearsal({ owner, cases: 1 })];
    expect((await rehearsals.begin(newRehearsal({ owner, cases: 1 }))).kind).toBe("too_many");
    await rehearsals.cancel(owner, made[0]?.id ?? "rhl_none", "cancelled");
    const answers = await Promise.all(late.map((each) => rehearsals.begin(each)));
    expect(answers.map(({ kind }) => kind).toSorted()).toEqual(["begun", "too_many"]);
  });

  it("is gone with its key, its runs and what its request was answered when it is deleted", async () => {
    const { id } = await begun();
    await playAll();
    await database.pool.query(
      `insert into work.idempotency_keys (owner_id, method, path, key, body_hash, ids, status, body, created_at)
       values ($1, 'POST', '/', 'k', 'h', json_build_object('rehearsalId', $2::text), 202, $3, now())`,
      [owner, id, MARK],
    );
    expect(await tablesWith(database.pool, MARK)).toEqual(["work.idempotency_keys"]);
    expect([await rehearsals.delete(owner, id), await rehearsals.delete(owner, id)]).toEqual([true, false]);
    expect(await tablesWith(database.pool, MARK)).toEqual([]);
    expect(await tablesWith(database.pool, id)).toEqual(["work.idempotency_keys"]);
    expect(await tokensOfDay()).toBe(240);
  });

  it("counts as erased when its key is missing, and its runs are not played", async () => {
    const { id } = await begun();
    await rehearsals.finish(await taken(), "one", playedRun());
    await database.pool.query("delete from config.subject_keys where subject = $1", [id]);
    expect(await rehearsals.find(owner, id)).toMatchObject({
      ...{ erased: true, status: "running", counts: { passed: 1, waiting: 1 } },
      byCase: [{ name: null, passAt: 0.5 }, { name: null }],
    });
    expect(await rehearsals.given(owner, id)).toBeNull();
    const { rows } = await rehearsals.runs(owner, id, { ...ALL, status: "passed" }, PAGE);
    expect(rows).toMatchObject([{ caseName: null, played: null }]);
    const run = await taken();
    expect(run.words).toBeNull();
    await rehearsals.finish(run, "one", playedRun({ status: "error" }));
    expect(await rehearsals.find(owner, id)).toMatchObject({ status: "done", counts: { error: 1 } });
  });
});

describe("runs", () => {
  it("are taken once, however many ask at once, and no more than four of an owner", async () => {
    await begun({ cases: 3, repeat: 3 });
    const asked = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        rehearsals.take(limits({ holder: index % 2 === 0 ? "one" : "two" })),
      ),
    );
    const got = asked.filter((run) => run !== null);
    expect(got).toHaveLength(4);
    expect(new Set(got.map(({ runId }) => runId)).size).toBe(4);
  });

  it("are taken in turn of owners, but for those that must wait", async () => {
    const other = systemIds.next("usr");
    const { id } = await begun({ cases: 4 });
    await rehearsals.begin(newRehearsal({ owner: other, cases: 4, connectionIds: ["conn_1"] }));
    const owners = [];
    for (let count = 0; count < 4; count += 1) owners.push((await taken()).owner);
    expect(owners).toEqual([owner, other, owner, other]);
    expect((await taken({ notOwners: [owner] })).owner).toBe(other);
    expect((await taken({ notConnections: ["conn_1"] })).owner).toBe(owner);
    expect(await rehearsals.take(limits({ notConnections: ["conn_1", null] }))).toBeNull();
    await rehearsals.cancel(owner, id, "cancelled");
    expect((await taken()).owner).toBe(other);
    expect(await rehearsals.take(limits())).toBeNull();
  });

  it("are begun again by another when their time is over, and then only that one stores a result", async () => {
    const { id } = await begun({ cases: 1 });
    const lost = await taken({ holder: "dead", ttlMillis: 0 });
    const again = await taken({ holder: "alive" });
    expect([again.runId, again.begun]).toEqual([lost.runId, 2]);
    expect(await rehearsals.hold(lost.runId, "dead", 1_000)).toBe(false);
    await rehearsals.finish(lost, "dead", playedRun({ status: "failed" }));
    expect(await rehearsals.find(owner, id)).toMatchObject({ status: "running", counts: { running: 1 } });
    expect(await rehearsals.hold(again.runId, "alive", 1_000)).toBe(true);
    await rehearsals.finish(again, "alive", playedRun());
    await rehearsals.finish(again, "alive", playedRun({ status: "failed" }));
    expect(await rehearsals.find(owner, id)).toMatchObject({
      ...{ status: "done", endedBecause: "finished", counts: { passed: 1 }, endedAt: expect.any(String) },
    });
    // Of both plays; what is told once more, because the answer was lost, counts once.
    expect(await tokensOfDay()).toBe(240);
  });

  it("that are given back wait again, as if they had not begun, but for their tokens", async () => {
    const { id } = await begun({ cases: 1 });
    const run = await taken();
    await rehearsals.giveBack(run, "two", NOTHING);
    expect(await rehearsals.take(limits())).toBeNull();
    await rehearsals.giveBack(run, "one", { inputTokens: 7, outputTokens: 1 });
    expect(await taken()).toMatchObject({ runId: run.runId, begun: 1 });
    expect(await rehearsals.find(owner, id)).toMatchObject({ inputTokens: 7, outputTokens: 1 });
    expect(await tokensOfDay()).toBe(8);
  });

  it("that have not ended are cancelled with their rehearsal; what is done stays as it is", async () => {
    const { id } = await begun({ cases: 3 });
    await rehearsals.finish(await taken(), "one", playedRun());
    const running = await taken();
    expect(await rehearsals.cancel(owner, id, "cancelled")).toMatchObject({
      ...{ status: "cancelled", endedBecause: "cancelled", counts: { passed: 1, cancelled: 2, running: 0 } },
    });
    expect(await rehearsals.hold(running.runId, "one", 1_000)).toBe(false);
    await rehearsals.finish(running, "one", playedRun());
    expect(await rehearsals.find(owner, id)).toMatchObject({ counts: { cancelled: 2 }, inputTokens: 200 });
    const done = await begun({ cases: 1 });
    await playAll();
    expect(await rehearsals.cancel(owner, done.id, "cancelled")).toMatchObject({ status: "done" });
  });

  it("are cancelled beyond the tokens of their rehearsal", async () => {
    const { id } = await begun({ cases: 4, maxTokens: 240 });
    await rehearsals.finish(await taken(), "one", playedRun());
    expect(await rehearsals.find(owner, id)).toMatchObject({ status: "running" });
    await rehearsals.finish(await taken(), "one", playedRun());
    expect(await rehearsals.find(owner, id)).toMatchObject({
      ...{ status: "cancelled", endedBecause: "max_tokens", counts: { passed: 2, cancelled: 2 } },
    });
    const last = await begun({ cases: 1, maxTokens: 100 });
    await playAll();
    expect(await rehearsals.find(owner, last.id)).toMatchObject({ status: "done" });
  });

  it("wait a day for tokens of the plan, and are then cancelled", async () => {
    const { id } = await begun();
    await rehearsals.waitForTokens(owner, true, "2026-11-28T10:00:00.000Z");
    await rehearsals.waitForTokens(owner, true, "2026-11-29T09:59:59.999Z");
    expect(await rehearsals.find(owner, id)).toMatchObject({ status: "running", waitingFor: "tokens" });
    await rehearsals.waitForTokens(owner, false, "2026-11-29T10:00:00.000Z");
    expect(await rehearsals.find(owner, id)).toMatchObject({ status: "running", waitingFor: null });
    await rehearsals.waitForTokens(owner, true, "2026-11-29T10:00:00.000Z");
    await rehearsals.waitForTokens(systemIds.next("usr"), true, "2026-12-28T10:00:00.000Z");
    expect(await rehearsals.find(owner, id)).toMatchObject({ status: "running" });
    await rehearsals.waitForTokens(owner, true, "2026-11-30T10:00:00.000Z");
    expect(await rehearsals.find(owner, id)).toMatchObject({
      ...{ status: "cancelled", endedBecause: "plan_tokens", waitingFor: null, counts: { cancelled: 2 } },
    });
  });
});
