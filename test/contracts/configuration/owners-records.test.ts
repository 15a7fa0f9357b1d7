import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Configuration } from "../../../application/ports/configuration.ts";
import type { Page, PageRequest } from "../../../application/ports/queries/pages.ts";
import type { PhoneNumberRecord } from "../../../contract/phone-number.ts";
import type { IdOf, OwnerId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import {
  assistantDraft,
  type ConfigurationWorld,
  configurationWorld,
  FIRST_PAGE,
  modelDraft,
  phoneNumberDraft,
  someOwner,
  toolDraft,
} from "./configuration-world.ts";

/** A record as every kind has it; `name`: the field by which this suite tells two of them apart. */
type Seen = {
  readonly id: string;
  readonly name: string | null;
  readonly createdAt: Instant | null;
  readonly updatedAt: Instant | null;
};

/** What all kinds can do, with their refusals as the port's plainest: null or false for unknown. */
type Kind<Id extends string> = {
  readonly make: (owner: OwnerId, id: Id, name: string) => Promise<{ created: boolean; value: Seen } | null>;
  readonly get: (owner: OwnerId, id: Id) => Promise<Seen | null>;
  readonly list: (owner: OwnerId, page: PageRequest<Id>) => Promise<Page<{ readonly id: Id }, Id>>;
  readonly rename: (owner: OwnerId, id: Id, name: string) => Promise<Seen | null>;
  readonly remove: (owner: OwnerId, id: Id) => Promise<boolean>;
};

let world: ConfigurationWorld;
let owner: OwnerId;
beforeAll(async () => {
  world = await configurationWorld();
});
afterAll(() => world.end());
beforeEach(() => {
  owner = someOwner();
});

function savedValue<Value>(
  answer: { readonly saved: true; readonly value: Value } | { readonly saved: false },
): Value | null {
  return answer.saved ? answer.value : null;
}

/** The kind is made in each test, because the database is not there before. */
function areRecords<Prefix extends keyof IdOf>(
  noun: string,
  prefix: Prefix,
  kindOf: (configuration: Configuration) => Kind<IdOf[Prefix]>,
) {
  const newId = () => systemIds.next(prefix);
  describe(noun, () => {
    let kind: Kind<IdOf[Prefix]>;
    let id: IdOf[Prefix];
    beforeEach(async () => {
      kind = kindOf(world.configuration);
      id = newId();
      await kind.make(owner, id, "first");
    });

    it("are made once under an id", async () => {
      expect(await kind.make(owner, id, "again")).toMatchObject({ created: false, value: { name: "first" } });
      expect(await kind.get(owner, id)).toMatchObject({ id, name: "first" });
    });

    it("are not made under the id of another owner's", async () => {
      await expect(kind.make(someOwner(), id, "mine")).rejects.toThrow();
      expect(await kind.get(owner, id)).toMatchObject({ name: "first" });
    });

    it("say when they were made, and when they changed last", async () => {
      const made = world.clock.now();
      expect(await kind.get(owner, id)).toMatchObject({ createdAt: made, updatedAt: made });
      world.clock.advance(1_000);
      const changed = { name: "second", createdAt: made, updatedAt: world.clock.now() };
      expect(await kind.rename(owner, id, "second")).toMatchObject(changed);
      expect(await kind.get(owner, id)).toMatchObject(changed);
    });

    it("are deleted once", async () => {
      expect([await kind.remove(owner, id), await kind.remove(owner, id)]).toEqual([true, false]);
      expect(await kind.get(owner, id)).toBeNull();
      expect(await kind.rename(owner, id, "second")).toBeNull();
    });

    it("are unknown to another owner in every way", async () => {
      const other = someOwner();
      expect(await kind.get(other, id)).toBeNull();
      expect(await kind.rename(other, id, "mine")).toBeNull();
      expect(await kind.remove(other, id)).toBe(false);
      expect(await kind.list(other, FIRST_PAGE)).toEqual({ rows: [], next: null });
      expect(await kind.get(owner, id)).toMatchObject({ name: "first" });
    });

    it("are listed newest first, and pages neither repeat nor skip one when others are made meanwhile", async () => {
      const ids = [id];
      for (let count = 0; count < 4; count += 1) {
        const next = newId();
        ids.unshift(next);
        await kind.make(owner, next, "another");
      }
      const first = await kind.list(owner, { limit: 3, after: null });
      await kind.make(owner, newId(), "late");
      const second = await kind.list(owner, { limit: 3, after: first.next });
      expect([...first.rows, ...second.rows].map((row) => row.id)).toEqual(ids);
      expect(second.next).toBeNull();
    });

    it("have no next page behind one that is just full", async () => {
      expect(await kind.list(owner, { limit: 1, after: null })).toMatchObject({ rows: [{ id }], next: null });
    });
  });
}

areRecords("phone numbers", "pn", ({ phoneNumbers }) => {
  const seen = (record: PhoneNumberRecord | null) =>
    record === null ? null : { ...record, name: record.label };
  return {
    make: async (of, id, label) => {
      const { created, value } = await phoneNumbers.create(of, id, { ...phoneNumberDraft, label });
      return { created, value: { ...value, name: value.label } };
    },
    get: async (of, id) => seen(await phoneNumbers.get(of, id)),
    list: phoneNumbers.list,
    rename: async (of, id, label) => seen(await phoneNumbers.change(of, id, { label })),
    remove: phoneNumbers.delete,
  };
});

areRecords("tools", "tool", ({ tools }) => ({
  make: (of, id, name) => tools.create(of, id, { ...toolDraft, name }),
  get: tools.get,
  list: tools.list,
  rename: (of, id, name) => tools.change(of, id, { name }),
  remove: async (of, id) => (await tools.delete(of, id)).saved,
}));

areRecords("assistants", "ast", ({ assistants }) => ({
  make: async (of, id, name) => savedValue(await assistants.create(of, id, { ...assistantDraft, name })),
  get: assistants.get,
  list: assistants.list,
  rename: async (of, id, name) => savedValue(await assistants.change(of, id, { name })),
  remove: assistants.delete,
}));

areRecords("connections", "conn", ({ connections }) => ({
  make: async (of, id, name) => savedValue(await connections.create(of, id, { ...modelDraft, name })),
  get: connections.get,
  list: connections.list,
  rename: async (of, id, name) => savedValue(await connections.change(of, id, { name })),
  remove: async (of, id) => (await connections.delete(of, id)).saved,
}));
