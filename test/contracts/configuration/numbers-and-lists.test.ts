import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OwnerId, PhoneNumberId } from "../../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import {
  type ConfigurationWorld,
  configurationWorld,
  phoneNumberDraft,
  someOwner,
} from "./configuration-world.ts";

let world: ConfigurationWorld;
let owner: OwnerId;
let other: OwnerId;
beforeAll(async () => {
  world = await configurationWorld();
});
afterAll(() => world.end());
beforeEach(() => {
  owner = someOwner();
  other = someOwner();
});

describe("phone numbers", () => {
  let id: PhoneNumberId;
  beforeEach(async () => {
    id = systemIds.next("pn");
    await world.configuration.phoneNumbers.create(owner, id, phoneNumberDraft);
  });

  it("are kept as they were written", async () => {
    const times = { createdAt: world.clock.now(), updatedAt: world.clock.now() };
    const kept = { ...phoneNumberDraft, id, ...times };
    expect(await world.configuration.phoneNumbers.get(owner, id)).toEqual(kept);
  });

  it("change in what is given", async () => {
    const changes = { active: false, phoneNumber: "+15005550002" } as const;
    const changed = await world.configuration.phoneNumbers.change(owner, id, changes);
    expect(changed).toMatchObject({ ...changes, label: "Main" });
  });
});

describe("secrets", () => {
  it("are listed by name, without their values", async () => {
    const { secrets } = world.configuration;
    const now = world.clock.now();
    expect(await secrets.put(owner, "ZULU", "z")).toEqual({ name: "ZULU", updatedAt: now });
    await secrets.put(owner, "ALPHA", "a");
    await secrets.put(owner, "A_1", "a");
    const { rows, next } = await secrets.list(owner, { limit: 2, after: null });
    expect([rows, next]).toEqual([
      [
        { name: "ALPHA", updatedAt: now },
        { name: "A_1", updatedAt: now },
      ],
      "A_1",
    ]);
    expect(await secrets.list(owner, { limit: 2, after: next })).toMatchObject({
      rows: [{ name: "ZULU" }],
      next: null,
    });
  });

  it("are sealed at rest, and sealed anew when they are put again", async () => {
    const sealed = async () => {
      const { rows } = await world.database.pool.query(
        "select sealed from config.secrets where owner_id = $1",
        [owner],
      );
      return String(rows.map((row) => row.sealed.toString("latin1")));
    };
    await world.configuration.secrets.put(owner, "TOKEN", "very-secret-value");
    const first = await sealed();
    await world.configuration.secrets.put(owner, "TOKEN", "very-secret-value");
    expect(first).not.toContain("very-secret-value");
    expect(await sealed()).not.toBe(first);
  });

  it("are deleted once, and by nobody else", async () => {
    const { secrets } = world.configuration;
    await secrets.put(owner, "TOKEN", "x");
    expect(await secrets.delete(other, "TOKEN")).toBe(false);
    expect([await secrets.delete(owner, "TOKEN"), await secrets.delete(owner, "TOKEN")]).toEqual([
      true,
      false,
    ]);
  });
});

describe("suppressions", () => {
  const number: PhoneNumber = "+15005550006";

  it("keep the first entry of a number", async () => {
    const { suppressions } = world.configuration;
    const first = await suppressions.add(owner, number, "asked for it", "key_1");
    expect(first).toEqual({
      created: true,
      value: {
        ...{ phoneNumber: number, reason: "asked for it", source: "api", callId: null },
        createdAt: world.clock.now(),
      },
    });
    world.clock.advance(5_000);
    expect(await suppressions.add(owner, number, "again", "key_1")).toEqual({
      created: false,
      value: first.value,
    });
  });

  it("are seen at once by who is about to dial", async () => {
    const numbers: PhoneNumber[] = [number, "+15005550007"];
    expect(await world.directory.suppressed(owner, numbers)).toEqual(new Set());
    await world.configuration.suppressions.add(owner, number, null, "key_1");
    expect(await world.directory.suppressed(owner, numbers)).toEqual(new Set([number]));
    expect(await world.directory.suppressed(other, numbers)).toEqual(new Set());
  });

  it("come many at once, and each number keeps its first entry", async () => {
    const { suppressions } = world.configuration;
    await suppressions.add(owner, number, "before", "key_1");
    await suppressions.add(other, "+15005550009", null, "key_1");
    const numbers = Array.from(
      { length: 2_500 },
      (_, index): PhoneNumber => `+1500555${String(9_999 - index).padStart(4, "0")}`,
    );
    const reasons = new Map(numbers.map((each) => [each, "a list"]));
    expect(await suppressions.addAll(owner, reasons, "key_1")).toBe(2_500);
    expect(await suppressions.addAll(owner, new Map([...reasons, [number, "again"]]), "key_1")).toBe(0);
    expect(await world.directory.suppressed(owner, numbers)).toEqual(new Set(numbers));
    const { rows } = await suppressions.list(owner, { limit: 5_000, after: null });
    expect(rows).toHaveLength(2_501);
    expect(rows.at(-1)).toMatchObject({ phoneNumber: number, reason: "before" });
    expect((await suppressions.list(other, { limit: 5, after: null })).rows).toHaveLength(1);
  });

  it("of two lists at once are all there, each once", async () => {
    const { suppressions } = world.configuration;
    const numbers = Array.from(
      { length: 3_000 },
      (_, index): PhoneNumber => `+1500555${String(index).padStart(4, "0")}`,
    );
    const forth = new Map(numbers.map((each) => [each, null]));
    const back = new Map(numbers.toReversed().map((each) => [each, null]));
    const added = await Promise.all([
      suppressions.addAll(owner, forth, "key_1"),
      suppressions.addAll(owner, back, "key_1"),
    ]);
    expect(added[0] + added[1]).toBe(3_000);
  });

  it("of a list that cannot be stored whole are not stored at all", async () => {
    const { suppressions } = world.configuration;
    const numbers = Array.from({ length: 1_500 }, (_, index): PhoneNumber => `+1500555${1_000 + index}`);
    const reasons = new Map<PhoneNumber, string>(numbers.map((each) => [each, "fine"]));
    reasons.set("+1500555999", "\u0000 is no text of PostgreSQL");
    await expect(suppressions.addAll(owner, reasons, "key_1")).rejects.toThrow();
    expect((await suppressions.list(owner, { limit: 10, after: null })).rows).toEqual([]);
  });

  it("are taken off the list once", async () => {
    const { suppressions } = world.configuration;
    await suppressions.add(owner, number, null, "key_1");
    expect(await suppressions.takeOff(other, number, "key_2", [])).toBe("not_listed");
    expect(await suppressions.takeOff(owner, number, "key_2", [])).toBe("taken_off");
    expect(await suppressions.takeOff(owner, number, "key_2", [])).toBe("not_listed");
  });

  it("are listed newest first, page by page", async () => {
    const { suppressions } = world.configuration;
    for (const last of [1, 2, 3]) await suppressions.add(owner, `+1500555000${last}`, null, "key_1");
    const first = await suppressions.list(owner, { limit: 2, after: null });
    expect(first.rows.map(({ phoneNumber }) => phoneNumber)).toEqual(["+15005550003", "+15005550002"]);
    const second = await suppressions.list(owner, { limit: 2, after: first.next });
    expect(second).toMatchObject({ rows: [{ phoneNumber: "+15005550001" }], next: null });
  });
});
