import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ApiKeyId, OwnerId } from "../../../domain/shared/ids.ts";
import { type Instant, plusMillis } from "../../../domain/shared/instant.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { type ConfigurationWorld, configurationWorld, FIRST_PAGE } from "./configuration-world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let world: ConfigurationWorld;
let owner: OwnerId;
let keyId: ApiKeyId;
beforeAll(async () => {
  world = await configurationWorld();
});
afterAll(() => world.end());
beforeEach(async () => {
  owner = systemIds.next("usr");
  const first = { id: owner, apiKeyId: systemIds.next("key"), name: "Ada", plan: {}, credits: null };
  await world.configuration.users.create(first);
  keyId = await keyThatEnds(null);
});

async function keyThatEnds(expiresAt: Instant | null): Promise<ApiKeyId> {
  const id = systemIds.next("key");
  const draft = { name: "browser", scopes: ["calls:read"], expiresAt } as const;
  await world.configuration.apiKeys.create(owner, id, draft);
  return id;
}

async function opened(of = keyId) {
  const made = await world.configuration.sessions.open(of);
  if (made === null) throw new Error("The key is not valid");
  return made;
}
const verify = (token: string) => world.configuration.sessions.verify(token);
const inMillis = (millis: number) => plusMillis(world.clock.now(), millis);

describe("a session", () => {
  it("says whose it is, what it may, and when it ends; only the hash of its token is stored", async () => {
    const { token, session } = await opened();
    expect(session).toEqual({
      sessionId: createHash("sha256").update(token).digest("hex"),
      ...{ keyId, keyName: "browser", scopes: ["calls:read"], owner: { id: owner, name: "Ada" } },
      expiresAt: inMillis(12 * HOUR),
    });
    expect(await verify(token)).toEqual(session);
    expect((await opened()).token).not.toBe(token);
    const { rows } = await world.database.pool.query("select s::text as row from config.sessions s");
    expect(rows.map(({ row }) => row).join()).not.toContain(token);
  });

  it.each([
    ["empty", ""],
    ["unknown", "x".repeat(43)],
    ["too long", "x".repeat(44)],
    ["of other letters", "?".repeat(43)],
  ])("is nobody's with a token that is %s", async (_what, token) => {
    expect(await verify(token)).toBeNull();
  });

  it("is not found with more before or behind its token", async () => {
    const { token } = await opened();
    expect([await verify(`x${token}`), await verify(`${token}x`)]).toEqual([null, null]);
  });

  it("lasts 12 h from its last use, which is written once a minute", async () => {
    const { token, session } = await opened();
    world.clock.advance(MINUTE - 1);
    expect(await verify(token)).toEqual(session);
    world.clock.advance(1);
    const later = { ...session, expiresAt: inMillis(12 * HOUR) };
    expect(await verify(token)).toEqual(later);
    world.clock.advance(12 * HOUR - 1);
    const { ended } = world.configuration.sessions;
    expect(await ended([session.sessionId])).toEqual(new Set());
    world.clock.advance(1);
    expect(await ended([session.sessionId])).toEqual(new Set([session.sessionId]));
    expect(await verify(token)).toBeNull();
  });

  it("lasts 7 days in all, however often it is used", async () => {
    const { token } = await opened();
    const end = inMillis(7 * 24 * HOUR);
    for (let hours = 0; hours < 7 * 24 - 8; hours += 8) {
      world.clock.advance(8 * HOUR);
      expect(await verify(token)).not.toBeNull();
    }
    expect(await verify(token)).toMatchObject({ expiresAt: end });
    world.clock.advance(8 * HOUR - 1);
    expect(await verify(token)).toMatchObject({ expiresAt: end });
    world.clock.advance(1);
    expect(await verify(token)).toBeNull();
  });

  it("ends when it is closed, and no other does", async () => {
    const { sessions } = world.configuration;
    const [one, other] = [await opened(), await opened()];
    const ids = [one, other].map(({ session }) => session.sessionId);
    expect(await sessions.ended(ids)).toEqual(new Set());
    await sessions.close(one.session.sessionId);
    await sessions.close(one.session.sessionId);
    expect([await verify(one.token), await verify(other.token)]).toEqual([null, other.session]);
    expect(await sessions.ended([...ids, "unknown"])).toEqual(new Set([ids[0], "unknown"]));
    expect(await sessions.ended([])).toEqual(new Set());
  });

  it("ends with its key, and none is opened with it any more: revoked", async () => {
    const { token } = await opened();
    await world.configuration.apiKeys.revoke(owner, keyId);
    expect([await verify(token), await world.configuration.sessions.open(keyId)]).toEqual([null, null]);
  });

  it("ends with its key, and none is opened with it any more: expired", async () => {
    const ending = await keyThatEnds(inMillis(HOUR));
    const { token } = await opened(ending);
    world.clock.advance(HOUR - 1);
    expect(await verify(token)).not.toBeNull();
    world.clock.advance(1);
    expect([await verify(token), await world.configuration.sessions.open(ending)]).toEqual([null, null]);
  });

  it("rests while its owner is inactive", async () => {
    const { users, sessions } = world.configuration;
    const { token, session } = await opened();
    await users.change(owner, { active: false });
    expect([await verify(token), await sessions.open(keyId)]).toEqual([null, null]);
    await users.change(owner, { active: true });
    expect(await verify(token)).toEqual(session);
  });

  it("counts as a use of its key", async () => {
    const { token } = await opened();
    world.clock.advance(1_000);
    await verify(token);
    await world.configuration.stop();
    const { rows } = await world.configuration.apiKeys.list(owner, FIRST_PAGE);
    expect(rows.find(({ id }) => id === keyId)?.lastUsedAt).toBe(world.clock.now());
  });
});
