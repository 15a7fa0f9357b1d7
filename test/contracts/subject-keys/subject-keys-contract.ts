import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Subject, SubjectKeys } from "../../../application/ports/subject-keys.ts";

export type SubjectKeysWorld = {
  readonly keys: SubjectKeys;
  /** As the admission of a call does it; answers the key. */
  readonly admit: (subject: Subject) => Promise<Uint8Array>;
  readonly erase: (subject: Subject) => Promise<void>;
  readonly lose: (subject: Subject) => Promise<void>;
  readonly end: () => Promise<void>;
};

/** Keys of calls, as the log's codec asks for them. */
export function subjectKeysContract(makeWorld: () => Promise<SubjectKeysWorld>): void {
  let world: SubjectKeysWorld;
  let number = 0;
  let subject: Subject;
  beforeAll(async () => {
    world = await makeWorld();
  });
  afterAll(() => world.end());
  beforeEach(() => {
    number += 1;
    subject = `call_${number}`;
  });

  it("answers the key that was drawn, each time the same", async () => {
    const key = await world.admit(subject);
    expect(key).toHaveLength(32);
    for (let time = 0; time < 2; time += 1) {
      const found = await world.keys.of([subject]);
      expect(found.get(subject)).toMatchObject({ kind: "open", key: Buffer.from(key) });
    }
  });

  it("keeps the first key of a subject that is admitted twice", async () => {
    const key = await world.admit(subject);
    await world.admit(subject);
    expect((await world.keys.of([subject])).get(subject)).toMatchObject({ key: Buffer.from(key) });
  });

  it("answers many at once, and leaves out whom it does not know", async () => {
    const known = [`${subject}a`, `${subject}b`];
    for (const each of known) await world.admit(each);
    const found = await world.keys.of([...known, `${subject}c`]);
    expect([...found.keys()].toSorted()).toEqual(known);
    expect(found.get(`${subject}a`)).not.toEqual(found.get(`${subject}b`));
    expect(await world.keys.of([])).toEqual(new Map());
  });

  it("knows an erased one from one that is missing", async () => {
    await world.admit(subject);
    await world.erase(subject);
    expect((await world.keys.of([subject])).get(subject)).toEqual({ kind: "erased" });
    await world.lose(subject);
    expect((await world.keys.of([subject])).has(subject)).toBe(false);
  });

  it("gives an erased one no new key", async () => {
    await world.admit(subject);
    await world.erase(subject);
    await world.admit(subject);
    expect((await world.keys.of([subject])).get(subject)).toEqual({ kind: "erased" });
  });
}
