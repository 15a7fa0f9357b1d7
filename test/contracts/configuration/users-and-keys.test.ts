import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ApiKeyDraft } from "../../../application/ports/configuration/api-keys.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import { plusMillis } from "../../../domain/shared/instant.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import {
  type ConfigurationWorld,
  configurationOn,
  configurationWorld,
  DEFAULT_CREDITS,
  FIRST_PAGE,
  OWNER_PLAN,
} from "./configuration-world.ts";

let world: ConfigurationWorld;
let owner: OwnerId;
let firstKey: string;
beforeAll(async () => {
  world = await configurationWorld();
});
afterAll(() => world.end());

const newUser = () => ({
  id: systemIds.next("usr"),
  apiKeyId: systemIds.next("key"),
  name: "Ada",
  plan: {},
  credits: null,
});
const reading: ApiKeyDraft = { name: "reader", scopes: ["calls:read"], expiresAt: null };
const operator: ApiKeyDraft = { name: "operator", scopes: ["operator"], expiresAt: null };

beforeEach(async () => {
  const user = newUser();
  owner = user.id;
  const { apiKey } = await world.configuration.users.create(user);
  firstKey = apiKey.key ?? "";
});

describe("users", () => {
  it("get the installation's plan and credits, and a first admin key that is shown once", async () => {
    const user = newUser();
    const made = await world.configuration.users.create(user);
    expect(made).toMatchObject({ created: true, user: { id: user.id, plan: OWNER_PLAN, active: true } });
    expect(made.apiKey).toMatchObject({ id: user.apiKeyId, scopes: ["admin"], expiresAt: null });
    expect(made.apiKey.key).toMatch(/^va_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{32}$/);
    const again = await world.configuration.users.create(user);
    expect(again).toMatchObject({ created: false, apiKey: { id: user.apiKeyId, key: null } });
  });

  it("have their first credits in the ledger", async () => {
    const { rows } = await world.configuration.ledger.list(owner, FIRST_PAGE);
    expect(rows).toMatchObject([
      { cause: "top_up", amount: DEFAULT_CREDITS, balance: DEFAULT_CREDITS, reserved: 0 },
    ]);
  });

  it("begin with what their making says", async () => {
    const made = { ...newUser(), plan: { maxConcurrentCalls: 3 }, credits: 0 };
    const { user } = await world.configuration.users.create(made);
    expect(user.plan).toEqual({ ...OWNER_PLAN, maxConcurrentCalls: 3, source: "operator" });
    expect(await world.configuration.ledger.list(made.id, FIRST_PAGE)).toEqual({ rows: [], next: null });
  });

  it("change in what is given", async () => {
    const { users } = world.configuration;
    await users.change(owner, { plan: { maxCallsPerSecond: 50, maxModelTokensPerDay: 5_000_000_000 } });
    const changed = await users.change(owner, { name: "Grace" });
    const plan = {
      ...OWNER_PLAN,
      maxCallsPerSecond: 50,
      maxModelTokensPerDay: 5_000_000_000,
      source: "operator",
    };
    expect(changed).toMatchObject({ saved: true, value: { name: "Grace", plan, active: true } });
    expect(await world.directory.owner(owner)).toEqual({ active: true, plan });
    const unlimited = await users.change(owner, { plan: { maxModelTokensPerDay: null } });
    expect(unlimited).toMatchObject({ value: { plan: { ...plan, maxModelTokensPerDay: null } } });
  });

  it("follow the installation's plan from start to start, until an operator gives them one", async () => {
    const given = { ...newUser(), plan: { maxConcurrentCalls: 3 } };
    await world.configuration.users.create(given);
    const changed = (await world.configuration.users.create(newUser())).user;
    await world.configuration.users.change(changed.id, { plan: { maxModelTokensPerDay: 9 } });
    const renamed = (await world.configuration.users.create(newUser())).user;
    await world.configuration.users.change(renamed.id, { name: "Grace" });
    const planOf = async (id: OwnerId) => (await world.directory.owner(id))?.plan;
    await planOf(owner); // known from before the next start

    const plan = { maxConcurrentCalls: 40, maxCallsPerSecond: 2.5 };
    const next = configurationOn(world.database, null, [], plan).configuration.users;
    expect(await next.holdDefaultPlan()).toBeGreaterThanOrEqual(2);
    expect(await next.holdDefaultPlan()).toBe(0);
    const follows = { ...plan, maxModelTokensPerDay: null, source: "default" };
    for (const id of [owner, renamed.id])
      await expect.poll(() => planOf(id), { timeout: 10_000 }).toEqual(follows);
    expect((await next.get(owner))?.plan).toEqual(follows);
    expect(await planOf(given.id)).toEqual({ ...OWNER_PLAN, maxConcurrentCalls: 3, source: "operator" });
    expect(await planOf(changed.id)).toEqual({ ...OWNER_PLAN, maxModelTokensPerDay: 9, source: "operator" });
    await world.configuration.users.holdDefaultPlan();
  });

  it("are refused when they are unknown", async () => {
    const { users } = world.configuration;
    expect(await users.change("usr_none", { name: "x" })).toEqual({ saved: false, reason: "not_found" });
    expect(await users.get("usr_none")).toBeNull();
  });

  it("stay active while they hold an operator key", async () => {
    const { users, apiKeys } = world.configuration;
    await apiKeys.create(owner, systemIds.next("key"), operator);
    expect(await users.change(owner, { active: false })).toEqual({ saved: false, reason: "operator_needed" });
    expect(await users.change(owner, { active: true, name: "Op" })).toMatchObject({ saved: true });
  });

  it("are listed newest first", async () => {
    const { rows, next } = await world.configuration.users.list({ limit: 1, after: null });
    expect(rows).toMatchObject([{ id: owner }]);
    expect(next).toBe(owner);
  });
});

describe("keys", () => {
  it("say whose they are and what they may", async () => {
    const id = systemIds.next("key");
    const { key } = await world.configuration.apiKeys.create(owner, id, reading);
    expect(await world.configuration.apiKeys.verify(key ?? "")).toEqual({
      owner,
      keyId: id,
      scopes: ["calls:read"],
    });
  });

  it("are not shown again", async () => {
    const id = systemIds.next("key");
    await world.configuration.apiKeys.create(owner, id, reading);
    expect(await world.configuration.apiKeys.create(owner, id, reading)).toMatchObject({
      id,
      key: null,
    });
  });

  it("leave nothing of their secret behind", async () => {
    const { rows } = await world.database.pool.query("select k::text as row from config.api_keys k");
    expect(rows.map(({ row }) => row).join()).not.toContain(firstKey.slice(-32));
  });

  it.each([
    ["of no key's form", () => "hello"],
    ["empty", () => ""],
    ["unknown", () => "va_live_00000000_00000000000000000000000000000000"],
    ["with another secret", () => firstKey.replace(/.$/, (last) => (last === "x" ? "y" : "x"))],
    ["with more behind it", () => `${firstKey}x`],
  ])("that are %s are nobody's", async (_what, key) => {
    expect(await world.configuration.apiKeys.verify(key())).toBeNull();
  });

  it("end at their time, also while they are in use", async () => {
    const expiresAt = plusMillis(world.clock.now(), 60_000);
    const draft = { ...reading, expiresAt };
    const { key } = await world.configuration.apiKeys.create(owner, systemIds.next("key"), draft);
    expect(await world.configuration.apiKeys.verify(key ?? "")).not.toBeNull();
    world.clock.advance(60_000);
    expect(await world.configuration.apiKeys.verify(key ?? "")).toBeNull();
  });

  it("are worth nothing from the moment they are revoked, and listed no more", async () => {
    const { apiKeys } = world.configuration;
    const id = systemIds.next("key");
    const { key } = await apiKeys.create(owner, id, reading);
    expect(await apiKeys.verify(key ?? "")).not.toBeNull();
    expect(await apiKeys.revoke(owner, id)).toEqual({ saved: true, value: null });
    expect(await apiKeys.verify(key ?? "")).toBeNull();
    expect((await apiKeys.list(owner, FIRST_PAGE)).rows.map((row) => row.id)).not.toContain(id);
    expect(await apiKeys.revoke(owner, id)).toEqual({ saved: false, reason: "not_found" });
  });

  it("are revoked by their owner only", async () => {
    const { rows } = await world.configuration.apiKeys.list(owner, FIRST_PAGE);
    const [first] = rows;
    expect(await world.configuration.apiKeys.revoke("usr_other", first?.id ?? "key_")).toMatchObject({
      saved: false,
    });
    expect(await world.configuration.apiKeys.verify(firstKey)).not.toBeNull();
  });

  it("of an inactive owner are worth nothing until it is active again", async () => {
    const { apiKeys, users } = world.configuration;
    expect(await apiKeys.verify(firstKey)).not.toBeNull();
    await users.change(owner, { active: false });
    expect(await apiKeys.verify(firstKey)).toBeNull();
    await users.change(owner, { active: true });
    expect(await apiKeys.verify(firstKey)).not.toBeNull();
  });

  it("remember when they were used last", async () => {
    const { apiKeys } = world.configuration;
    const used = world.clock.now();
    await apiKeys.verify(firstKey);
    await world.configuration.stop();
    expect((await apiKeys.list(owner, FIRST_PAGE)).rows).toMatchObject([{ lastUsedAt: used }]);
  });

  it("with operator cannot all be revoked, not even by two at once", async () => {
    const { apiKeys } = world.configuration;
    const ids = [systemIds.next("key"), systemIds.next("key")];
    for (const id of ids) await apiKeys.create(owner, id, operator);
    const revoked = await Promise.all(ids.map((id) => apiKeys.revoke(owner, id)));
    expect(revoked.filter(({ saved }) => saved)).toHaveLength(1);
    expect(revoked.find(({ saved }) => !saved)).toEqual({ saved: false, reason: "last_operator_key" });
  });

  it("with admin cannot all be revoked, not even by two at once, and those that expire do not count", async () => {
    const { apiKeys } = world.configuration;
    const [first] = (await apiKeys.list(owner, FIRST_PAGE)).rows;
    const ids = [first?.id ?? "key_", systemIds.next("key")] as const;
    const admin: ApiKeyDraft = { name: "admin", scopes: ["admin"], expiresAt: null };
    await apiKeys.create(owner, ids[1], admin);
    const expiresAt = plusMillis(world.clock.now(), 1_000);
    await apiKeys.create(owner, systemIds.next("key"), { ...admin, expiresAt });
    const revoked = await Promise.all(ids.map((id) => apiKeys.revoke(owner, id)));
    expect(revoked.filter(({ saved }) => saved)).toHaveLength(1);
    expect(revoked.find(({ saved }) => !saved)).toEqual({ saved: false, reason: "last_admin_key" });
  });

  it("with operator that expire do not count as a way back in", async () => {
    const { apiKeys } = world.configuration;
    const [lasting, passing] = [systemIds.next("key"), systemIds.next("key")];
    await apiKeys.create(owner, lasting, operator);
    await apiKeys.create(owner, passing, { ...operator, expiresAt: plusMillis(world.clock.now(), 1_000) });
    expect(await apiKeys.revoke(owner, lasting)).toEqual({ saved: false, reason: "last_operator_key" });
    expect(await apiKeys.revoke(owner, passing)).toMatchObject({ saved: true });
  });
});
