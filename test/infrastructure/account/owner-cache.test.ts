import { beforeEach, expect, it } from "vitest";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import { createOwnerCache, type OwnerCache } from "../../../infrastructure/account/owner-cache.ts";

/** What other processes tell, in the hands of the test. */
let changed: (owner: OwnerId) => void;
let gap: () => void;
let reliable: boolean;
let cache: OwnerCache;
let reads: number;
beforeEach(() => {
  reliable = true;
  reads = 0;
  const none = () => undefined;
  cache = createOwnerCache({
    changed: none,
    noticed: none,
    reliable: () => reliable,
    onChange: (listener) => {
      changed = listener;
      return none;
    },
    onGap: (listener) => {
      gap = listener;
      return none;
    },
  });
});

const read = async () => {
  reads += 1;
  return reads;
};
const get = (owner: OwnerId = "usr_1", key = "a") => cache.get(owner, key, read);

it("reads a record once, however often and at once it is asked for", async () => {
  expect(await Promise.all([get(), get(), get()])).toEqual([1, 1, 1]);
});

it("keeps owners and keys apart", async () => {
  expect(await Promise.all([get("usr_1", "a"), get("usr_1", "b"), get("usr_2", "a")])).toEqual([1, 2, 3]);
});

it("reads again after a change of the owner, and only of that one", async () => {
  await Promise.all([get("usr_1"), get("usr_2")]);
  changed("usr_1");
  expect([await get("usr_1"), await get("usr_2")]).toEqual([3, 2]);
});

it("does not remember what it began to read before a change", async () => {
  const before = Promise.withResolvers<string>();
  const old = cache.get("usr_1", "a", () => before.promise);
  changed("usr_1");
  before.resolve("old");
  expect(await old).toBe("old");
  expect(await cache.get("usr_1", "a", async () => "new")).toBe("new");
});

it("forgets everything when news may have been missed", async () => {
  await Promise.all([get("usr_1"), get("usr_2")]);
  gap();
  expect([await get("usr_1"), await get("usr_2")]).toEqual([3, 4]);
});

it("remembers nothing while news may be missed", async () => {
  await get();
  reliable = false;
  expect([await get(), await get()]).toEqual([2, 3]);
});

it("does not remember a failure", async () => {
  const failing = cache.get("usr_1", "a", () => Promise.reject(new Error("away")));
  await expect(failing).rejects.toThrow("away");
  expect(await get()).toBe(1);
});
