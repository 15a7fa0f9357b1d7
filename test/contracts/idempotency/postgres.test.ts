import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Begun, Idempotency, IdempotentRequest } from "../../../application/ports/idempotency.ts";
import { createPostgresIdempotency } from "../../../infrastructure/account/idempotency.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { migratedDatabase } from "../../support/database.ts";
import type { TestDatabase } from "../../support/postgres.ts";

let database: TestDatabase;
let here: Idempotency;
let there: Idempotency;
let request: IdempotentRequest;
let number = 0;
beforeAll(async () => {
  database = await migratedDatabase();
  here = createPostgresIdempotency(database.pool, silentLogger);
  there = createPostgresIdempotency(database.pool, silentLogger);
});
afterAll(() => database.drop());
beforeEach(() => {
  number += 1;
  const ids = { callId: `call_${number}` };
  request = {
    owner: "usr_1",
    method: "POST",
    path: "/calls/outbound",
    key: `key ${number}`,
    bodyHash: "a",
    ids,
  };
});

const NOW = { waitMillis: 0 };
const LONG = { waitMillis: 20_000 };
const answer = { status: 200, body: '{"z":1,"a":2}', headers: { "x-event-position": "7" } };
const others = () => ({ ...request, ids: { callId: "call_other" } });
const claimOf = (begun: Begun) => {
  if (begun.kind !== "claimed") throw new Error(`expected a claim, got ${begun.kind}`);
  return begun.claim;
};
const begin = async () => claimOf(await here.begin(request, NOW));
/** The process that holds the key is gone for so long. */
const pass = (interval: string) =>
  database.pool.query(
    "update work.idempotency_keys set lease_until = lease_until - $2::interval, created_at = created_at - $2::interval where key = $1",
    [request.key, interval],
  );

it("claims a new key with the ids that were proposed", async () => {
  const begun = await here.begin(request, NOW);
  expect(begun).toMatchObject({ kind: "claimed", takenOver: false, ids: request.ids });
});

it("replays the kept answer byte for byte", async () => {
  await (await begin()).complete(answer);
  expect(await there.begin(others(), NOW)).toEqual({ kind: "replay", answer });
});

it("keeps the first answer", async () => {
  const claim = await begin();
  await claim.complete(answer);
  await claim.complete({ ...answer, status: 201 });
  expect(await there.begin(others(), NOW)).toEqual({ kind: "replay", answer });
});

it("gives the claim to exactly one of many", async () => {
  const begun = await Promise.all(
    Array.from({ length: 16 }, (_, index) => (index % 2 === 0 ? here : there).begin(request, NOW)),
  );
  expect(begun.filter(({ kind }) => kind === "claimed")).toHaveLength(1);
  expect(begun.filter(({ kind }) => kind === "in_flight")).toHaveLength(15);
});

it("waits for the answer of the request in flight", async () => {
  const claim = await begin();
  const waiting = [here.begin(others(), LONG), there.begin(others(), LONG)];
  await claim.complete(answer);
  expect(await Promise.all(waiting)).toEqual([
    { kind: "replay", answer },
    { kind: "replay", answer },
  ]);
});

it("stops waiting when the caller goes away", async () => {
  await begin();
  expect(await here.begin(others(), { ...LONG, signal: AbortSignal.abort() })).toEqual({ kind: "in_flight" });
});

it("refuses another body under the same key, whether it is in flight or answered", async () => {
  const other = { ...others(), bodyHash: "b" };
  const claim = await begin();
  expect(await there.begin(other, NOW)).toEqual({ kind: "conflict" });
  await claim.complete(answer);
  expect(await there.begin(other, NOW)).toEqual({ kind: "conflict" });
});

it.each([
  ["owner", { owner: "usr_2" }],
  ["method", { method: "PUT" }],
  ["path", { path: "/campaigns" }],
] as const)("belongs to its %s", async (_what, different) => {
  await (await begin()).complete(answer);
  expect(await here.begin({ ...others(), ...different }, NOW)).toMatchObject({
    kind: "claimed",
    takenOver: false,
  });
});

it("is free again after a refusal that stored nothing", async () => {
  await (await begin()).free();
  const begun = await there.begin({ ...others(), bodyHash: "b" }, NOW);
  expect(begun).toMatchObject({ kind: "claimed", takenOver: false, ids: others().ids });
});

it("is taken over at once, with its ids, when its holder gave up after it began to store", async () => {
  await (await begin()).abandon();
  expect(await there.begin(others(), NOW)).toMatchObject({
    kind: "claimed",
    takenOver: true,
    ids: request.ids,
  });
});

it("is taken over, with its ids, when the lease of a dead holder has run out", async () => {
  await begin();
  expect(await there.begin(others(), NOW)).toEqual({ kind: "in_flight" });
  await pass("11 seconds");
  expect(await there.begin(others(), NOW)).toMatchObject({
    kind: "claimed",
    takenOver: true,
    ids: request.ids,
  });
});

it("is not taken over with another body", async () => {
  await begin();
  await pass("11 seconds");
  expect(await there.begin({ ...others(), bodyHash: "b" }, NOW)).toEqual({ kind: "conflict" });
});

it("is not freed or given up by a holder that was overtaken", async () => {
  const overtaken = await begin();
  await pass("11 seconds");
  await there.begin(others(), NOW);
  await overtaken.free();
  await overtaken.abandon();
  expect(await here.begin(others(), NOW)).toEqual({ kind: "in_flight" });
});

it("keeps the answer of whoever is done first", async () => {
  const overtaken = await begin();
  await pass("11 seconds");
  const taken = claimOf(await there.begin(others(), NOW));
  await overtaken.complete(answer);
  await taken.complete({ ...answer, status: 201 });
  expect(await here.begin(others(), NOW)).toEqual({ kind: "replay", answer });
});

it("lives for 24 hours", async () => {
  await (await begin()).complete(answer);
  await pass("23 hours 59 minutes");
  expect(await here.begin(others(), NOW)).toMatchObject({ kind: "replay" });
  await pass("1 minute");
  const begun = await here.begin({ ...others(), bodyHash: "b" }, NOW);
  expect(begun).toMatchObject({ kind: "claimed", takenOver: false, ids: others().ids });
});
