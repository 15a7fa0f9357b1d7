import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type CarrierDetails,
  type ConnectionDraft,
  installationsOwn,
} from "../../../application/ports/configuration/connections.ts";
import type { ConnectionId, OwnerId } from "../../../domain/shared/ids.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import {
  type ConfigurationWorld,
  configurationOn,
  configurationWorld,
  FIRST_PAGE,
  modelDraft,
  phoneNumberDraft,
  someOwner,
} from "./configuration-world.ts";

let world: ConfigurationWorld;
let owner: OwnerId;
let id: ConnectionId;
beforeAll(async () => {
  world = await configurationWorld();
});
afterAll(() => world.end());
beforeEach(() => {
  owner = someOwner();
  id = systemIds.next("conn");
});

const model = (baseUrl: string): ConnectionDraft => ({
  ...{ kind: "model", name: "m", settings: { baseUrl, defaultModel: "small" }, secrets: { apiKey: "sk" } },
});
const postgres = (host: string, port: number, tls: boolean): ConnectionDraft => ({
  ...{ kind: "postgres", name: "p", secrets: { password: "secret" } },
  settings: { host, port, tls, database: "shop", user: "reader" },
});
const twilio = (baseUrl: string | null) =>
  ({
    kind: "twilio",
    name: "t",
    secrets: { authToken: "secret" },
    settings: { accountSid: "AC1", callsPerSecond: 3, baseUrl },
  }) as const;
const asterisk = (url: string) =>
  ({
    kind: "asterisk",
    name: "a",
    secrets: { password: "secret" },
    settings: { url, user: "u", context: "out", callsPerSecond: null, maxConcurrentCalls: 9 },
  }) as const;

describe("a connection", () => {
  it.each<[where: string, ConnectionDraft]>([
    ["of a model", model("http://127.0.0.1:9999/v1")],
    ["of a database on this network", postgres("127.0.0.1", 5_432, false)],
    ["of a database", postgres("1.1.1.1", 5_432, true)],
    ["of Twilio", twilio(null)],
    ["of what speaks like Twilio", twilio("https://1.1.1.1/")],
    ["of Asterisk", asterisk("http://127.0.0.1:8088")],
  ])("%s is read and opened as it was written", async (_where, draft) => {
    const { connections } = world.configuration;
    const { secrets, ...shown } = draft;
    const now = world.clock.now();
    const record = { ...shown, id, default: false, createdAt: now, updatedAt: now };
    expect(await connections.create(owner, id, draft)).toEqual({
      saved: true,
      value: { created: true, value: record },
    });
    expect(await connections.get(owner, id)).toEqual(record);
    const { name: _name, ...details } = { ...shown, secrets };
    expect(await connections.open(owner, id)).toEqual({ ...details, default: false });
  });

  it.each<[setting: string, refusal: string, ConnectionDraft]>([
    ["baseUrl", "address_not_allowed", model("http://10.0.0.1/v1")],
    ["baseUrl", "not_a_url", model("nowhere")],
    ["host", "address_not_allowed", postgres("10.0.0.1", 5_432, true)],
    ["host", "address_not_allowed", postgres("::1", 5_432, true)],
    ["port", "port_not_allowed", postgres("127.0.0.1", 22, true)],
    ["tls", "scheme_not_allowed", postgres("1.1.1.1", 5_432, false)],
    ["baseUrl", "address_not_allowed", twilio("https://10.0.0.1/")],
    ["url", "address_not_allowed", asterisk("http://10.0.0.1:8088")],
  ])("is refused for its %s: %s", async (setting, refusal, draft) => {
    const { connections } = world.configuration;
    const refused = { saved: false, reason: "address_refused", setting, refusal };
    expect(await connections.create(owner, id, draft)).toEqual(refused);
    expect(await connections.get(owner, id)).toBeNull();
  });

  it("stays as it is when it would change to an address that is not allowed", async () => {
    const { connections } = world.configuration;
    await connections.create(owner, id, modelDraft);
    const before = await connections.get(owner, id);
    const wanted = { name: "Worse", settings: { baseUrl: "http://10.0.0.1/v1" } };
    expect(await connections.change(owner, id, wanted)).toEqual({
      ...{ saved: false, reason: "address_refused", setting: "baseUrl", refusal: "address_not_allowed" },
    });
    expect(await connections.get(owner, id)).toEqual(before);
  });

  it("is renamed also where its address is not allowed any more", async () => {
    const { connections } = world.configuration;
    await connections.create(owner, id, modelDraft);
    await world.database.pool.query(
      `update config.connections set settings = '{"baseUrl": "http://10.0.0.1/v1", "defaultModel": "x"}' where id = $1`,
      [id],
    );
    expect(await connections.change(owner, id, { name: "Old" })).toMatchObject({
      saved: true,
      value: { name: "Old", settings: { baseUrl: "http://10.0.0.1/v1" } },
    });
  });

  it("that is unknown is neither changed nor deleted", async () => {
    const { connections } = world.configuration;
    const unknown = { saved: false, reason: "not_found" };
    expect(await connections.change(owner, id, { name: "x" })).toEqual(unknown);
    expect(await connections.delete(owner, id)).toEqual(unknown);
  });

  it("is kept by the numbers that are dialled on it, which are named in order", async () => {
    const { connections, phoneNumbers } = world.configuration;
    await connections.create(owner, id, twilio(null));
    const numbers = [systemIds.next("pn"), systemIds.next("pn")];
    for (const number of numbers.toReversed())
      await phoneNumbers.create(owner, number, { ...phoneNumberDraft, connectionId: id });
    expect(await phoneNumbers.get(owner, numbers[0] ?? "pn_")).toMatchObject({ connectionId: id });
    expect(await connections.delete(owner, id)).toEqual({ saved: false, reason: "in_use", usedBy: numbers });
    for (const number of numbers) await phoneNumbers.change(owner, number, { connectionId: null });
    expect(await connections.delete(owner, id)).toEqual({ saved: true, value: null });
  });
});

describe("carriers of the installation", () => {
  const { name: _twilio, ...ownTwilio } = twilio(null);
  const { name: _asterisk, ...ownAsterisk } = asterisk("http://10.0.0.1:8088");
  const carriers: readonly CarrierDetails[] = [ownTwilio, ownAsterisk];

  it("are every owner's, by names of their own, and nobody's to change", async () => {
    const { connections } = configurationOn(world.database, null, carriers).configuration;
    const of = { default: true, createdAt: null, updatedAt: null };
    const shown = carriers.map(({ kind, settings }) => ({
      ...{ id: installationsOwn(kind), kind, settings, ...of },
      name: `The installation's own ${kind === "twilio" ? "Twilio account" : "Asterisk"}`,
    }));
    expect(await connections.list(owner, FIRST_PAGE)).toEqual({ rows: shown, next: null });
    for (const [index, { kind, ...details }] of carriers.entries()) {
      const own = installationsOwn(kind);
      expect(await connections.get(owner, own)).toEqual(shown[index]);
      expect(await connections.open(owner, own)).toEqual({ kind, ...details, default: true });
      expect(await connections.change(owner, own, { name: "mine" })).toMatchObject({ reason: "default" });
    }
  });
});
