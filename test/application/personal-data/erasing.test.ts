import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ErasureStepsDeps, runErasure } from "../../../application/personal-data/erasure-steps.ts";
import { runErasures } from "../../../application/personal-data/run-erasures.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { createEventCodec } from "../../../infrastructure/log/codec.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { type ErasingWorld, erasingWorld } from "./erasing-world.ts";

const OWNER = "usr_1";
const CALL: CallId = "call_1";
const AT = "2026-11-20T10:00:00.000Z";
const POINTS = [
  "eventStore.append.CallContentErased.before",
  "eventStore.append.CallContentErased.after",
  "journal.add.before",
  "erasures.eraseKeys.before",
  "erasures.eraseKeys.after",
  "recordings.erase.before",
  "erasures.clear.after",
];

let world: ErasingWorld;
beforeEach(async () => {
  world = await erasingWorld();
});
afterEach(() => world.drop());

const callWithWords = () => world.callWithWords({ callId: CALL, owner: OWNER, at: AT, endedAt: AT });

async function begun({ erasures, clock }: ErasureStepsDeps) {
  const erasure = { id: "ers_1", owner: OWNER, kind: "call", callId: CALL, phoneNumber: null } as const;
  await erasures.begin({ ...erasure, recordings: 0, createdAt: clock.now() }, [CALL]);
  return { ...erasure, callIds: [CALL] };
}

const asker = { owner: OWNER, actor: "key_1", correlationId: "req_1" } as const;

describe("an erasure that dies at", () => {
  it.each(POINTS)("%s is finished by the next process", async (point) => {
    await callWithWords();
    let reached = 0;
    const dying = world.process({
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
    const next = world.process();
    const stop = new AbortController();
    const going = runErasures(next, stop.signal);
    const done = await eventually("the end of the erasure", async () => {
      const found = await next.erasures.find(OWNER, erasure.id);
      return found?.status === "done" ? found : null;
    });
    stop.abort();
    await going;
    expect(done).toMatchObject({ kind: "call", callId: CALL, calls: 1 });
    expect((await world.typesInLog(CALL)).filter((type) => type === "CallContentErased")).toHaveLength(1);
    expect((await world.keys.of([CALL])).get(CALL)).toEqual({ kind: "erased" });
    expect(await readFile(world.file, "utf8")).toContain(CALL);
    const words = await createEventCodec(world.keys).withWords(await world.eventStore.read(`call-${CALL}`));
    expect(JSON.stringify(words)).not.toContain("secret");
    expect(await next.erasures.running()).toEqual([]);
  });
});

describe("an erasure", () => {
  it("takes the event before the key, so that nobody reads silence without a reason", async () => {
    await callWithWords();
    const seen: (readonly [string, boolean])[] = [];
    const watched = world.process({
      reached: async (point) => {
        const key = (await world.keys.of([CALL])).get(CALL);
        if (POINTS.includes(point)) seen.push([point, key?.kind === "erased"]);
      },
    });
    await runErasure(watched, await begun(watched), asker);
    expect(seen).toEqual(
      POINTS.map((point, index) => [point, index >= POINTS.indexOf("erasures.eraseKeys.after")]),
    );
  });

  it("goes through where the words do not open: that they are lost is no reason to keep them", async () => {
    await callWithWords();
    await world.database.pool.query("delete from config.subject_keys");
    world.keys.forget([CALL]);
    const deps = world.process();
    await runErasure(deps, await begun(deps), asker);
    expect(await deps.erasures.find(OWNER, "ers_1")).toMatchObject({ status: "done" });
    expect(await world.typesInLog(CALL)).toContain("CallContentErased");
  });

  it("of a call that the log does not know erases its key all the same", async () => {
    const deps = world.process();
    await runErasure(deps, await begun(deps), asker);
    expect(await deps.erasures.find(OWNER, "ers_1")).toMatchObject({ status: "done" });
    expect((await world.keys.of([CALL])).get(CALL)).toEqual({ kind: "erased" });
  });
});
