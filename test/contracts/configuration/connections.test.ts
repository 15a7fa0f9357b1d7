import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_MODEL_CONNECTION } from "../../../application/ports/configuration/connections.ts";
import type { ConnectionId, OwnerId } from "../../../domain/shared/ids.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import {
  assistantDraft,
  type ConfigurationWorld,
  configurationOn,
  configurationWorld,
  FIRST_PAGE,
  modelDraft,
  someOwner,
  toolDraft,
} from "./configuration-world.ts";

const OWN = { baseUrl: "http://models.internal/v1", apiKey: "sk-of-the-house", model: "house-1" };

let world: ConfigurationWorld;
let owner: OwnerId;
let id: ConnectionId;
beforeAll(async () => {
  world = await configurationWorld();
});
afterAll(() => world.end());
beforeEach(async () => {
  owner = someOwner();
  id = systemIds.next("conn");
  await world.configuration.connections.create(owner, id, modelDraft);
});

it("is read back without its secrets, which only opening gives", async () => {
  const { connections } = world.configuration;
  const { secrets, ...readable } = modelDraft;
  const record = await connections.get(owner, id);
  expect(record).toMatchObject({ ...readable, id, default: false });
  expect(JSON.stringify([record, await connections.list(owner, FIRST_PAGE)])).not.toContain("sk-");
  expect(await connections.open(owner, id)).toEqual({
    kind: "model",
    settings: modelDraft.settings,
    secrets,
    default: false,
  });
});

it("is opened by nobody else", async () => {
  expect(await world.configuration.connections.open(someOwner(), id)).toBeNull();
});

it("lies sealed in the database, and opens in its own row alone", async () => {
  const { pool } = world.database;
  const { rows } = await pool.query("select * from config.connections where id = $1", [id]);
  expect(rows[0].sealed.toString("latin1")).not.toContain("sk-");
  const other = systemIds.next("conn");
  await world.configuration.connections.create(owner, other, modelDraft);
  await pool.query("update config.connections set sealed = $2 where id = $1", [other, rows[0].sealed]);
  await expect(world.configuration.connections.open(owner, other)).rejects.toThrow();
});

it("changes what is given, also within settings and secrets", async () => {
  const { connections } = world.configuration;
  await connections.change(owner, id, { settings: { defaultModel: "large" } });
  await connections.change(owner, id, { secrets: { apiKey: "sk-new" } });
  await connections.change(owner, id, { name: "Better" });
  expect(await connections.get(owner, id)).toMatchObject({
    name: "Better",
    settings: { baseUrl: "http://127.0.0.1:9999/v1", defaultModel: "large" },
  });
  expect(await connections.open(owner, id)).toMatchObject({ secrets: { apiKey: "sk-new" } });
});

it("loses no change to another one at the same time", async () => {
  const { connections } = world.configuration;
  await Promise.all([
    connections.change(owner, id, { settings: { defaultModel: "large" } }),
    connections.change(owner, id, { secrets: { apiKey: "sk-new" } }),
    connections.change(owner, id, { name: "Better" }),
  ]);
  expect(await connections.get(owner, id)).toMatchObject({
    name: "Better",
    settings: { defaultModel: "large" },
  });
  expect(await connections.open(owner, id)).toMatchObject({ secrets: { apiKey: "sk-new" } });
});

describe("in use", () => {
  beforeAll(async () => {
    for (const table of ["assistants", "assistant_versions"])
      await world.database.pool.query(
        `alter table config.${table} add column if not exists model_connection_id text`,
      );
  });
  const setModel = (table: string, column: string, of: string, connection: string | null) =>
    world.database.pool.query(`update config.${table} set model_connection_id = $2 where ${column} = $1`, [
      of,
      connection,
    ]);

  it("is kept by an assistant's draft and by its published version", async () => {
    const { assistants, connections } = world.configuration;
    const assistant = systemIds.next("ast");
    await assistants.create(owner, assistant, assistantDraft);
    await assistants.publish(owner, assistant);
    const kept = { saved: false, reason: "in_use", usedBy: [assistant] };
    await setModel("assistants", "id", assistant, id);
    expect(await connections.delete(owner, id)).toEqual(kept);
    await setModel("assistants", "id", assistant, null);
    await setModel("assistant_versions", "assistant_id", assistant, id);
    expect(await connections.delete(owner, id)).toEqual(kept);
    await assistants.unpublish(owner, assistant);
    expect(await connections.delete(owner, id)).toMatchObject({ saved: true });
  });

  it("is kept by a tool", async () => {
    const { tools, connections } = world.configuration;
    const tool = systemIds.next("tool");
    await tools.create(owner, tool, { ...toolDraft, config: { query: "select 1", connectionId: id } });
    expect(await connections.delete(owner, id)).toEqual({ saved: false, reason: "in_use", usedBy: [tool] });
    await tools.delete(owner, tool);
    expect(await connections.delete(owner, id)).toMatchObject({ saved: true });
    expect(await connections.get(owner, id)).toBeNull();
  });
});

describe("the installation's own", () => {
  const own = () => configurationOn(world.database, OWN).configuration;

  it("comes first in every owner's list, page by page, and counts as a row", async () => {
    const { connections } = own();
    const second = systemIds.next("conn");
    await connections.create(owner, second, modelDraft);
    const first = await connections.list(owner, { limit: 1, after: null });
    expect([first.rows[0]?.id, first.rows[0]?.default]).toEqual([DEFAULT_MODEL_CONNECTION, true]);
    const next = await connections.list(owner, { limit: 1, after: first.next });
    expect(next.rows.map((row) => row.id)).toEqual([second]);
    const last = await connections.list(owner, { limit: 1, after: next.next });
    expect([last.rows.map((row) => row.id), last.next]).toEqual([[id], null]);
    expect((await connections.list(someOwner(), FIRST_PAGE)).rows).toHaveLength(1);
  });

  it("shows no key, and nobody changes it", async () => {
    const { connections } = own();
    expect(JSON.stringify(await connections.get(owner, DEFAULT_MODEL_CONNECTION))).not.toContain("sk-");
    const refused = { saved: false, reason: "default" };
    expect(await connections.change(owner, DEFAULT_MODEL_CONNECTION, { name: "mine" })).toEqual(refused);
    expect(await connections.delete(owner, DEFAULT_MODEL_CONNECTION)).toEqual(refused);
    expect(await connections.open(owner, DEFAULT_MODEL_CONNECTION)).toMatchObject({
      default: true,
      secrets: { apiKey: "sk-of-the-house" },
    });
  });

  it("is unknown where the environment names none", async () => {
    expect(await world.configuration.connections.get(owner, DEFAULT_MODEL_CONNECTION)).toBeNull();
    expect(await world.configuration.connections.open(owner, DEFAULT_MODEL_CONNECTION)).toBeNull();
  });
});
