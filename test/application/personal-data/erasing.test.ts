import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createAggregates } from "../../../application/log/aggregates.ts";
import { type ErasureStepsDeps, runErasure } from "../../../application/personal-data/erasure-steps.ts";
import { runErasures } from "../../../application/personal-data/run-erasures.ts";
import type { CrashPoints } from "../../../application/ports/crash-points.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import {
  createPostgresSubjectKeys,
  type SubjectKeyRing,
} from "../../../infrastructure/account/subject-keys/postgres-subject-keys.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { createEventCodec } from "../../../infrastructure/log/codec.ts";
import { erasuresFile } from "../../../infrastructure/personal-data/erasures-file.ts";
import { postgresErasures } from "../../../infrastructure/personal-data/postgres-erasures.ts";
import { secretBox } from "../../../infrastructure/secrets.ts";
import { callEnd, callRequest } from "../../projections/example-events.ts";
import { eventually } from "../../support/eventually.ts";
import { createMemoryEventStore } from "../../support/memory/event-store.ts";
import { eventsToAppend } from "../../support/memory/subject-keys.ts";
import { noCrashes, silentLogger } from "../../support/silent.ts";
import { type WorkDatabase, workDatabase } from "../../support/work-database.ts";

const OWNER = "usr_1";
const CALL: CallId = "call_1";
const AT = "2026-11-20T10:00:00.000Z";
const POINTS = [
  "before append CallContentErased",
  "after append CallContentErased",
  "before write erasures",
  "before erase keys",
  "after erase keys",
  "before clear erased calls",
  "after clear erased calls",
];

let database: WorkDatabase;
let folder: string;
let keys: SubjectKeyRing;
let eventStore: ReturnType<typeof createMemoryEventStore>;
beforeEach(async () => {
  database = await workDatabase();
  folder = await mkdtemp(join(tmpdir(), "ringfold-erasing-"));
  keys = createPostgresSubjectKeys(database.pool, secretBox(Buffer.alloc(32, 1)));
  keys.hear(database.notifications);
  eventStore = createMemoryEventStore(systemClock);
});
afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** A process over the stores; nothing of it outlives it. */
function process(crashPoints: CrashPoints = noCrashes): ErasureStepsDeps {
  const codec = createEventCodec(keys);
  const shared = { eventStore, codec, ids: systemIds, clock: systemClock, crashPoints, logger: silentLogger };
  return {
    ...shared,
    calls: createAggregates(shared).calls,
    erasures: postgresErasures({ pool: database.pool, keys }),
    journal: erasuresFile(join(folder, "erasures.jsonl")),
    queries: { caughtUp: async () => "all" },
  };
}

async function callWithWords(): Promise<void> {
  const drawn = keys.draw(CALL, OWNER);
  await database.pool.query(
    "insert into config.subject_keys (subject, owner_id, sealed_key) values ($1, $2, decode($3, 'base64'))",
    [CALL, OWNER, drawn.sealed],
  );
  const events: CallEvent[] = [
    callRequest({ callId: CALL, owner: OWNER, campaignId: null, contactId: null, attempt: 1, at: AT }),
    {
      type: "CallMessageAdded",
      data: {
        callId: CALL,
        at: AT,
        carrierRef: "ref-1",
        sequence: 4,
        message: {
          index: 0,
          role: "customer",
          assistantId: null,
          content: "the secret",
          at: AT,
          offsetMs: 1,
        },
      },
    },
    callEnd(CALL, AT, "customer_ended", 30),
  ];
  const stored = await eventsToAppend(createEventCodec(keys), OWNER, events);
  await eventStore.append(`call-${CALL}`, "no_stream", stored);
}

async function begun({ erasures, clock }: ErasureStepsDeps) {
  const erasure = { id: "ers_1", owner: OWNER, kind: "call", callId: CALL, phoneNumber: null } as const;
  await erasures.begin({ ...erasure, recordings: 0, createdAt: clock.now() }, [CALL]);
  return { id: erasure.id, owner: erasure.owner, callIds: [CALL] };
}

async function typesInLog(): Promise<readonly string[]> {
  return (await eventStore.read(`call-${CALL}`)).map(({ type }) => type);
}

const asker = { owner: OWNER, actor: "key_1", correlationId: "req_1" } as const;

describe("an erasure that dies at", () => {
  it.each(POINTS)("%s is finished by the next process", async (point) => {
    await callWithWords();
    let reached = 0;
    const dying = process({
      reached: (here) => {
        if (here !== point) return undefined;
        reached += 1;
        throw new Error("died");
      },
    });
    const erasure = await begun(dying);
    await runErasure(dying, erasure, asker);
    expect(reached).toBe(1);
    expect(await dying.erasures.find(OWNER, erasure.id)).toMatchObject({ status: "running" });
    // What can be read while it is neither here nor there is what was there, or nothing.
    const next = process();
    const stop = new AbortController();
    const going = runErasures(next, stop.signal);
    const done = await eventually("the end of the erasure", async () => {
      const found = await next.erasures.find(OWNER, erasure.id);
      return found?.status === "done" ? found : null;
    });
    stop.abort();
    await going;
    expect(done).toMatchObject({ kind: "call", callId: CALL, calls: 1 });
    expect((await typesInLog()).filter((type) => type === "CallContentErased")).toHaveLength(1);
    expect((await keys.of([CALL])).get(CALL)).toEqual({ kind: "erased" });
    expect(await readFile(join(folder, "erasures.jsonl"), "utf8")).toContain(CALL);
    const words = await createEventCodec(keys).withWords(await eventStore.read(`call-${CALL}`));
    expect(JSON.stringify(words)).not.toContain("secret");
    expect(await next.erasures.running()).toEqual([]);
  });
});

describe("an erasure", () => {
  it("takes the event before the key, so that nobody reads silence without a reason", async () => {
    await callWithWords();
    const seen: (readonly [string, boolean])[] = [];
    const watched = process({
      reached: async (point) => {
        const key = (await keys.of([CALL])).get(CALL);
        if (POINTS.includes(point)) seen.push([point, key?.kind === "erased"]);
      },
    });
    await runErasure(watched, await begun(watched), asker);
    expect(seen).toEqual(POINTS.map((point, index) => [point, index >= POINTS.indexOf("after erase keys")]));
  });

  it("goes through where the words do not open: that they are lost is no reason to keep them", async () => {
    await callWithWords();
    await database.pool.query("delete from config.subject_keys");
    keys.forget([CALL]);
    const deps = process();
    await runErasure(deps, await begun(deps), asker);
    expect(await deps.erasures.find(OWNER, "ers_1")).toMatchObject({ status: "done" });
    expect(await typesInLog()).toContain("CallContentErased");
  });

  it("of a call that the log does not know erases its key all the same", async () => {
    const deps = process();
    await runErasure(deps, await begun(deps), asker);
    expect(await deps.erasures.find(OWNER, "ers_1")).toMatchObject({ status: "done" });
    expect((await keys.of([CALL])).get(CALL)).toEqual({ kind: "erased" });
  });
});
