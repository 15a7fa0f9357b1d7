import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  eraseAgain,
  erasuresReaction,
  fileKnowsMore,
} from "../../../application/personal-data/erase-again.ts";
import type { CallId, CampaignId } from "../../../domain/shared/ids.ts";
import { createEventCodec } from "../../../infrastructure/log/codec.ts";
import { createPostgresCheckpoints } from "../../../infrastructure/postgres/checkpoints.ts";
import type { CrashPoints } from "../../../simulation/crash-points/crash-points.ts";
import { type ErasingWorld, erasingWorld } from "./erasing-world.ts";

const OWNER = "usr_01k4b2s9h3e8t9v0w1x2y3z4a5";
const CALL: CallId = "call_01k4b2s9h3e8t9v0w1x2y3z4a5";
const ERASURE = "ers_01k4b2s9h3e8t9v0w1x2y3z4a5";
const AT = "2026-11-20T10:00:00.000Z";

let world: ErasingWorld;
/** What was taken from the rows that are read. */
let removed: (CallId | CampaignId)[];
beforeEach(async () => {
  world = await erasingWorld();
  removed = [];
  await world.callWithWords({ callId: CALL, owner: OWNER, at: AT, endedAt: AT });
});
afterEach(() => world.drop());

function restored(crashPoints: CrashPoints | null = null) {
  return {
    ...world.process(crashPoints),
    codec: createEventCodec(world.keys),
    eventStore: world.eventStore,
    checkpoints: createPostgresCheckpoints(world.database.pool),
    shownWords: {
      remove: async (callIds: readonly CallId[]) => void removed.push(...callIds),
      removeContacts: async (campaignIds: readonly CampaignId[]) => void removed.push(...campaignIds),
    },
  };
}

const keyKind = async () => (await world.keys.of([CALL])).get(CALL)?.kind;
const told = { callId: CALL, owner: OWNER, erasureId: ERASURE } as const;

describe("after a restore", () => {
  it("a call that the file names twice is erased again, and once", async () => {
    const deps = restored();
    await deps.journal.add([told, told], AT);
    expect(await fileKnowsMore(deps)).toBe(true);
    await eraseAgain(deps);
    expect([await keyKind(), removed]).toEqual(["erased", [CALL]]);
    expect((await world.typesInLog(CALL)).at(-1)).toBe("CallContentErased");
    expect(await fileKnowsMore(deps)).toBe(false);
  });

  it.each(["recordings.erase.after", "journal.add.before", "erasures.eraseKeys.before"])(
    "what dies at %s begins anew, because the key says that it is done",
    async (point) => {
      await restored().journal.add([told], AT);
      const dying = restored({
        reached: (here) => {
          if (here === point) throw new Error("died");
        },
      });
      await expect(eraseAgain(dying)).rejects.toThrow("died");
      expect([await keyKind(), await fileKnowsMore(dying)]).toEqual(["open", true]);
      await eraseAgain(restored());
      expect(await keyKind()).toBe("erased");
    },
  );

  it("every copy is gone before the key is", async () => {
    const seen: string[] = [];
    const deps = restored({
      reached: async (point) => {
        if (point === "recordings.erase.after") seen.push(`recordings, key ${await keyKind()}`);
      },
    });
    await deps.journal.add([told], AT);
    const shownWords = {
      ...deps.shownWords,
      remove: async () => void seen.push(`rows, key ${await keyKind()}`),
    };
    await eraseAgain({ ...deps, shownWords });
    expect(seen).toEqual(["rows, key open", "recordings, key open", "recordings, key erased"]);
  });
});

describe("the event of an erasure", () => {
  it("of this database is left to the erasure; that of another one is carried out here too", async () => {
    const deps = restored();
    const stream = `call-${CALL}` as const;
    const erasure = { id: ERASURE, owner: OWNER, kind: "call", callId: CALL, phoneNumber: null } as const;
    await deps.erasures.begin({ ...erasure, recordings: 0, createdAt: AT }, [CALL]);
    const command = { type: "EraseContent", erasureId: ERASURE, now: AT } as const;
    const asker = { owner: OWNER, actor: "key_1", correlationId: "req_1", causationId: null };
    await deps.calls.handle(stream, [command], asker);
    const [event] = await deps.codec.decode((await world.eventStore.read(stream)).slice(-1));
    if (event?.kind !== "event") throw new Error("The event does not open");
    const reaction = erasuresReaction(deps);
    await reaction.handle([event.recorded]);
    expect(await keyKind()).toBe("open");
    await deps.erasures.finish({ ...erasure, callIds: [CALL] }, AT);
    await reaction.handle([event.recorded]);
    expect(await keyKind()).toBe("erased");
    expect((await readFile(world.file, "utf8")).match(/"callId"/g)).toHaveLength(1);
  });
});
