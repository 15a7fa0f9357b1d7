import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ApiKeyId, OwnerId } from "../../../domain/shared/ids.ts";
import { type Instant, plusMillis } from "../../../domain/shared/instant.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { createNotifications } from "../../../infrastructure/postgres/notifications.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import {
  assistantDraft,
  type ConfigurationWorld,
  configurationOn,
  configurationWorld,
  FIRST_PAGE,
  phoneNumberDraft,
} from "./configuration-world.ts";

let world: ConfigurationWorld;
let owner: OwnerId;
let firstKey: ApiKeyId;
beforeAll(async () => {
  world = await configurationWorld();
});
afterAll(() => world.end());
beforeEach(async () => {
  owner = systemIds.next("usr");
  firstKey = systemIds.next("key");
  const first = { id: owner, apiKeyId: firstKey, name: "Ada", plan: {}, credits: null };
  await world.configuration.users.create(first);
});

async function made(expiresAt: Instant | null = null, name = "reader") {
  const id = systemIds.next("key");
  const draft = { name, scopes: ["calls:read"], expiresAt } as const;
  const { key } = await world.configuration.apiKeys.create(owner, id, draft);
  return { id, key: key ?? "" };
}

/** As a process that nobody hears of would do it. */
const revokeUnheard = (id: ApiKeyId) =>
  world.database.pool.query("update config.api_keys set revoked_at = now() where id = $1", [id]);

describe("a key that is no longer valid", () => {
  it("is told with its reason, and one that is valid is not", async () => {
    const { apiKeys, users } = world.configuration;
    const [valid, revoked] = [await made(), await made()];
    const ending = await made(plusMillis(world.clock.now(), 1_000));
    await apiKeys.revoke(owner, revoked.id);
    const ids = [valid.id, revoked.id, ending.id, "key_none"];
    const before = new Map([
      [revoked.id, "key_revoked"],
      ["key_none", "key_revoked"],
    ]);
    expect(await apiKeys.ended(ids)).toEqual(before);
    world.clock.advance(999);
    expect(await apiKeys.ended(ids)).toEqual(before);
    world.clock.advance(1);
    expect(await apiKeys.ended(ids)).toEqual(new Map([...before, [ending.id, "key_expired"]]));
    await users.change(owner, { active: false });
    expect(await apiKeys.ended(ids)).toEqual(
      new Map([...before, [ending.id, "key_expired"], [valid.id, "owner_inactive"]]),
    );
    expect(await apiKeys.ended([])).toEqual(new Map());
  });

  it("is heard of from another process soon", async () => {
    const { pool } = world.database;
    const notifications = createNotifications(pool, silentLogger);
    await notifications.start();
    const other = configurationOn({ pool, notifications }).configuration;
    const [one, two] = [await made(), await made()];
    expect(await other.apiKeys.verify(one.key)).toMatchObject({ keyId: one.id });
    expect(await other.apiKeys.verify(two.key)).toMatchObject({ keyId: two.id });
    await world.configuration.apiKeys.revoke(owner, one.id);
    await eventually("the news", async () => (await other.apiKeys.verify(one.key)) === null);
    expect(await other.apiKeys.verify(two.key)).toMatchObject({ keyId: two.id });
    await other.stop();
    await notifications.close();
  });

  it("is read again after 5 s at the latest, should nobody tell", async () => {
    const { id, key } = await made();
    const { verify } = world.configuration.apiKeys;
    await verify(key);
    await revokeUnheard(id);
    world.clock.advance(4_999);
    expect(await verify(key)).toMatchObject({ keyId: id });
    world.clock.advance(1);
    expect(await verify(key)).toBeNull();
  });

  it("is read each time while news of others may be missed", async () => {
    const { pool } = world.database;
    const deaf = configurationOn({ pool, notifications: createNotifications(pool, silentLogger) });
    const { id, key } = await made();
    expect(await deaf.configuration.apiKeys.verify(key)).toMatchObject({ keyId: id });
    await revokeUnheard(id);
    expect(await deaf.configuration.apiKeys.verify(key)).toBeNull();
    await deaf.configuration.stop();
  });
});

it("a key that expires is revoked also where no other has its powers: it was no lasting way in", async () => {
  const { apiKeys } = world.configuration;
  const id = systemIds.next("key");
  const expiresAt = plusMillis(world.clock.now(), 60_000);
  await apiKeys.create(owner, id, { name: "passing", scopes: ["operator"], expiresAt });
  expect(await apiKeys.revoke(owner, id)).toEqual({ saved: true, value: null });
});

it("the last use of a key never goes back, and one that was not used is left as it is", async () => {
  const { apiKeys } = world.configuration;
  const [used, unused] = [await made(), await made()];
  const uses = async () => {
    await world.configuration.stop();
    const { rows } = await apiKeys.list(owner, FIRST_PAGE);
    return [used, unused].map(({ id }) => rows.find((row) => row.id === id)?.lastUsedAt);
  };
  const later = plusMillis(world.clock.now(), 60_000);
  await world.database.pool.query("update config.api_keys set last_used_at = $2 where id = $1", [
    used.id,
    later,
  ]);
  await apiKeys.verify(used.key);
  expect(await uses()).toEqual([later, null]);
  world.clock.advance(90_000);
  await apiKeys.verify(used.key);
  expect(await uses()).toEqual([world.clock.now(), null]);
});

it("keys of an owner are listed with all that is shown of them, newest first and page by page", async () => {
  const { apiKeys } = world.configuration;
  const expiresAt = plusMillis(world.clock.now(), 1_000);
  const { id } = await made(expiresAt, "passing");
  const shown = { name: "passing", scopes: ["calls:read"], lastUsedAt: null };
  const first = await apiKeys.list(owner, { limit: 1, after: null });
  expect(first).toEqual({ rows: [{ id, ...shown, expiresAt, createdAt: world.clock.now() }], next: id });
  expect(await apiKeys.list(owner, { limit: 1, after: id })).toMatchObject({
    rows: [{ id: firstKey, name: "first key", scopes: ["admin"], expiresAt: null }],
    next: null,
  });
});

describe("names", () => {
  it("of an owner's assistants and numbers come newest first, and nobody else's", async () => {
    const { assistants, phoneNumbers, names } = world.configuration;
    const createdAt = world.clock.now();
    const [older, newer] = [systemIds.next("ast"), systemIds.next("ast")];
    await assistants.create(owner, older, assistantDraft);
    await assistants.create(owner, newer, { ...assistantDraft, name: "Night" });
    const [first, second] = [systemIds.next("pn"), systemIds.next("pn")];
    await phoneNumbers.create(owner, first, phoneNumberDraft);
    await phoneNumbers.create(owner, second, { ...phoneNumberDraft, label: null });
    expect(await names.assistants(owner)).toEqual([
      { id: newer, name: "Night", createdAt },
      { id: older, name: assistantDraft.name, createdAt },
    ]);
    const { phoneNumber, label } = phoneNumberDraft;
    expect(await names.phoneNumbers(owner)).toEqual([
      { id: second, phoneNumber, label: null, createdAt },
      { id: first, phoneNumber, label, createdAt },
    ]);
    const other = systemIds.next("usr");
    expect([await names.assistants(other), await names.phoneNumbers(other)]).toEqual([[], []]);
  });

  it("of keys are those of any owner, also when they are revoked; unknown ones are left out", async () => {
    const { apiKeys, names } = world.configuration;
    const { id } = await made();
    await apiKeys.revoke(owner, id);
    expect(await names.apiKeys([id, firstKey, "key_none"])).toEqual(
      new Map([
        [id, "reader"],
        [firstKey, "first key"],
      ]),
    );
    expect(await names.apiKeys([])).toEqual(new Map());
  });
});
