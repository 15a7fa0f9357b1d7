import { afterAll, beforeAll, expect, it } from "vitest";
import type { Imports } from "../../../application/ports/imports.ts";
import type { SubjectKeys } from "../../../application/ports/subject-keys.ts";

export type ImportsWorld = {
  readonly imports: Imports;
  readonly keys: SubjectKeys;
  readonly end: () => Promise<void>;
};

/** Imports that were begun, and which of them were never sealed. */
export function importsContract(makeWorld: () => Promise<ImportsWorld>): void {
  let world: ImportsWorld;
  beforeAll(async () => {
    world = await makeWorld();
    await world.imports.begin({
      importId: "imp_2",
      campaignId: "cmp_2",
      owner: "usr_1",
      at: "2026-09-01T11:00:00.000Z",
    });
    await world.imports.begin({
      importId: "imp_1",
      campaignId: "cmp_1",
      owner: "usr_1",
      at: "2026-09-01T10:00:00.000Z",
    });
    await world.imports.begin({
      importId: "imp_3",
      campaignId: "cmp_3",
      owner: "usr_1",
      at: "2026-09-01T12:00:00.000Z",
    });
  });
  afterAll(() => world.end());

  it("finds what was begun before a moment and not sealed, the oldest first", async () => {
    expect(await world.imports.unsealedSince("2026-09-01T12:00:00.000Z", 10)).toEqual([
      { importId: "imp_1", campaignId: "cmp_1" },
      { importId: "imp_2", campaignId: "cmp_2" },
    ]);
  });

  it("answers no more than asked for", async () => {
    expect(await world.imports.unsealedSince("2027-01-01T00:00:00.000Z", 1)).toHaveLength(1);
  });

  it("keeps the first time of an import that is begun again", async () => {
    await world.imports.begin({
      importId: "imp_1",
      campaignId: "cmp_1",
      owner: "usr_1",
      at: "2028-01-01T00:00:00.000Z",
    });
    expect(await world.imports.unsealedSince("2026-09-01T10:30:00.000Z", 10)).toHaveLength(1);
  });

  it("finds no sealed one, also when it is begun again", async () => {
    await world.imports.sealed("imp_1");
    await world.imports.sealed("imp_1");
    await world.imports.begin({
      importId: "imp_1",
      campaignId: "cmp_1",
      owner: "usr_1",
      at: "2026-09-01T10:00:00.000Z",
    });
    expect(await world.imports.unsealedSince("2026-09-01T10:30:00.000Z", 10)).toEqual([]);
  });

  it("makes the key of a campaign with its first import, and no other one with the next", async () => {
    const keyOf = async () => (await world.keys.of(["cmp_4"])).get("cmp_4");
    const next = { campaignId: "cmp_4", owner: "usr_1", at: "2026-09-01T10:00:00.000Z" } as const;
    expect(await keyOf()).toBeUndefined();
    await world.imports.begin({ importId: "imp_4", ...next });
    const made = await keyOf();
    expect(made?.kind).toBe("open");
    await world.imports.begin({ importId: "imp_4", ...next });
    await world.imports.begin({ importId: "imp_5", ...next });
    expect(await keyOf()).toEqual(made);
  });
}
