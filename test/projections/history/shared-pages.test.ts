import { describe, expect, it } from "vitest";
import { rememberedNames, withActorNames } from "../../../projections/history/actor-names.ts";
import { historyRecord } from "../../../projections/history/history-record.ts";
import type { OwnerHistoryPage } from "../../../projections/history/owner-history.ts";
import { createSharedPages, type SharedPages } from "../../../projections/history/shared-pages.ts";

const record = historyRecord({
  ...{ stream: "call-call_1", revision: 0, position: "1", type: "CallRinging" },
  created: "2026-09-01T10:00:00.000Z",
  data: {},
  metadata: { owner: "usr_1", actor: "key_1", correlationId: "c", causationId: null, schemaVersion: 1 },
});
const FULL: OwnerHistoryPage = { rows: [record], next: "1", atEnd: false };
const EMPTY: OwnerHistoryPage = { rows: [], next: "0", atEnd: true };

/** The keys that were read, in order. */
function reader(pages: SharedPages) {
  const reads: string[] = [];
  const get = (key: string, page: OwnerHistoryPage = FULL) =>
    pages.get(key, async () => {
      reads.push(key);
      return page;
    });
  return { reads, get };
}

describe("a page of the log that many follow", () => {
  it("is read once, by those who ask at once and by those who ask later", async () => {
    const { reads, get } = reader(createSharedPages({ kept: 2, readsAtOnce: 2 }));
    expect(await Promise.all([get("a"), get("a")])).toEqual([FULL, FULL]);
    expect(await get("a")).toBe(FULL);
    expect(reads).toEqual(["a"]);
  });

  it("is read again when there was nothing yet, when it could not be read, and after an erasure", async () => {
    const pages = createSharedPages({ kept: 2, readsAtOnce: 1 });
    const { reads, get } = reader(pages);
    expect(await get("a", EMPTY)).toBe(EMPTY);
    expect(await get("a")).toBe(FULL);
    pages.clear();
    await get("a");
    expect(reads).toEqual(["a", "a", "a"]);
    const failing = () => Promise.reject(new Error("the log is away"));
    await expect(pages.get("b", failing)).rejects.toThrow("the log is away");
    // The turn of the one that failed is free again.
    expect(await get("b")).toBe(FULL);
  });

  it("makes room as the one that was asked for the longest time ago", async () => {
    const { reads, get } = reader(createSharedPages({ kept: 2, readsAtOnce: 1 }));
    for (const key of ["a", "b", "a", "c"]) await get(key);
    expect(reads).toEqual(["a", "b", "c"]);
    await get("a");
    expect(reads).toEqual(["a", "b", "c"]);
    await get("b");
    expect(reads).toEqual(["a", "b", "c", "b"]);
  });

  it("waits while so many others are being read, and each comes in its turn", async () => {
    const pages = createSharedPages({ kept: 9, readsAtOnce: 2 });
    const open = new Map<string, () => void>();
    const begun: string[] = [];
    const slow = (key: string) =>
      pages.get(key, async () => {
        begun.push(key);
        await new Promise<void>((resolve) => open.set(key, resolve));
        return FULL;
      });
    const all = ["a", "b", "c", "d"].map(slow);
    expect(begun).toEqual(["a", "b"]);
    for (const [place, key] of ["a", "c", "b", "d"].entries()) {
      await expect.poll(() => open.has(key)).toBe(true);
      open.get(key)?.();
      await all[["a", "b", "c", "d"].indexOf(key)];
      await expect.poll(() => begun.length).toBe(Math.min(4, 3 + place));
    }
    expect(begun).toEqual(["a", "b", "c", "d"]);
    const again = slow("e");
    await expect.poll(() => open.has("e")).toBe(true);
    open.get("e")?.();
    expect(await again).toBe(FULL);
  });
});

describe("names of keys in a history", () => {
  it("are looked up once, and left out while they cannot be read or are not known", async () => {
    const asked: (readonly string[])[] = [];
    let isAway = true;
    const actorNames = rememberedNames(async (ids) => {
      asked.push(ids);
      if (isAway) throw new Error("away");
      return new Map(ids.flatMap((id) => (id === "key_1" ? [[id, "Dashboard"] as const] : [])));
    });
    const other = { ...record, actor: { kind: "key", id: "key_2" } } as const;
    const process = { ...record, actor: { kind: "process", id: "key_1" } } as const;
    const records = [record, other, record, process];
    expect(await withActorNames({ actorNames }, records)).toEqual(records);
    isAway = false;
    const named = { ...record, actor: { kind: "key", id: "key_1", name: "Dashboard" } };
    expect(await withActorNames({ actorNames }, records)).toEqual([named, other, named, process]);
    expect(await withActorNames({ actorNames }, records)).toEqual([named, other, named, process]);
    expect(asked).toEqual([["key_1", "key_2"], ["key_1", "key_2"], ["key_2"]]);
    expect(await withActorNames({ actorNames }, [process])).toEqual([process]);
    expect(await withActorNames({}, [record])).toEqual([record]);
    expect(asked).toHaveLength(3);
  });
});
