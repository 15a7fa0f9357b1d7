import { beforeEach, describe, expect, it } from "vitest";
import {
  type EraseAgainDeps,
  eraseAgain,
  erasuresReaction,
  fileKnowsMore,
} from "../../../application/personal-data/erase-again.ts";
import type { Checkpoint } from "../../../application/ports/checkpoints.ts";
import type { ReadAllOptions } from "../../../application/ports/event-store.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { AT, type MemoryErasing, memoryErasing } from "./memory-erasing.ts";

const OWNER = "usr_1";
const AGAIN = "calls and contacts of campaigns that were erased before are erased again";

let world: MemoryErasing;
/** What the log was asked from the checkpoint on, and whose rows of read models were emptied. */
let read: (Omit<ReadAllOptions, "after"> & { readonly after?: string | null })[];
let emptied: (readonly CallId[])[];
let checkpoint: Checkpoint | null;
beforeEach(() => {
  world = memoryErasing();
  read = [];
  emptied = [];
  checkpoint = null;
});

function restored(): EraseAgainDeps {
  const { eventStore } = world.log;
  return {
    ...world.deps,
    campaigns: world.log.aggregates.campaigns,
    codec: world.log.codec,
    eventStore: {
      ...eventStore,
      readAll: (options) => {
        read.push(options);
        return eventStore.readAll(options);
      },
    },
    checkpoints: {
      load: async (processor) => (processor === "erasures" ? checkpoint : null),
      save: async (processor, saved) => {
        if (processor === "erasures") checkpoint = saved;
      },
    },
    shownWords: {
      remove: async (callIds) => void emptied.push(callIds),
      removeContacts: async () => undefined,
    },
  };
}

/** The log has their erasure; the keys are from before it. */
async function erasedBefore(...ids: readonly CallId[]) {
  for (const callId of ids) {
    await world.call({ callId });
    const command = { type: "EraseContent", erasureId: "ers_1", now: AT } as const;
    const origin = { owner: OWNER, actor: "key_1", correlationId: "req_1", causationId: null };
    await world.deps.calls.handle(`call-${callId}`, [command], origin);
  }
}

describe("keys that are older than the log", () => {
  it("are erased again from the checkpoint of their database on, page after page", async () => {
    await erasedBefore("call_old");
    checkpoint = { position: await world.log.eventStore.head(), eventId: null };
    const from = checkpoint.position;
    const ids = Array.from({ length: 1_001 }, (_, index): CallId => `call_${index}`);
    await erasedBefore(...ids);
    await eraseAgain(restored());
    expect(world.erasedKeys).toEqual(new Set(ids));
    expect(emptied.flat()).toEqual(ids);
    expect(read).toHaveLength(2);
    expect(read[0]).toEqual({
      after: from,
      limit: 1_000,
      filter: { types: ["CallContentErased", "CampaignDeleted"] },
    });
    expect(world.log.said).toEqual([["warn", AGAIN, { calls: 1_001, campaigns: 0 }]]);
  });

  it("are none where nothing is missing: no row is touched, and nothing is said", async () => {
    checkpoint = { position: await world.log.eventStore.head(), eventId: null };
    await erasedBefore("call_1");
    world.erasedKeys.add("call_1");
    await eraseAgain(restored());
    expect([world.done, emptied, world.log.said]).toEqual([[], [], []]);
  });

  it("cannot be where there is no checkpoint: it is set to the end of the log", async () => {
    await erasedBefore("call_1");
    await eraseAgain(restored());
    expect(checkpoint).toEqual({ position: await world.log.eventStore.head(), eventId: null });
    expect([read, world.done]).toEqual([[], []]);
  });

  it("are erased again by the file too, each once; the log tells who did it", async () => {
    const ids: readonly CallId[] = ["call_1", "call_2", "call_3"];
    for (const callId of ids) await world.call({ callId });
    const line = (callId: CallId) => ({ callId, owner: OWNER, erasureId: "ers_1", at: AT }) as const;
    world.lines.push(...ids.map(line));
    world.erasedKeys.add("call_1");
    world.erasedKeys.add("call_2");
    expect(await fileKnowsMore(restored())).toBe(true);
    await eraseAgain(restored());
    expect(await fileKnowsMore(restored())).toBe(false);
    expect(emptied).toEqual([["call_3"]]);
    expect(await world.erasedBy("call_3")).toEqual([
      { erasureId: "ers_1", actor: "process:erasures", correlationId: "erasures", owner: OWNER },
    ]);
    expect(world.log.said).toEqual([["warn", AGAIN, { calls: 1, campaigns: 0 }]]);
  });
});

it("the event of an erasure empties no rows, for their own model does", async () => {
  await erasedBefore("call_1");
  await world.call({ callId: "call_2" });
  const reaction = erasuresReaction(restored());
  expect(reaction).toMatchObject({ name: "erasures", types: ["CallContentErased", "CampaignDeleted"] });
  await reaction.handle([
    ...(await world.log.recorded("call-call_1")),
    ...(await world.log.recorded("call-call_2")),
  ]);
  expect([[...world.erasedKeys], emptied]).toEqual([["call_1"], []]);
  const copies = ["recordings call_1", "files call_1", "clear call_1"];
  expect(world.done).toEqual([...copies, "lines call_1", "keys call_1", ...copies]);
});
