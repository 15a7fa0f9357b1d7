import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../simulation/drills/eventually.ts";
import type { ApiUser, Wire } from "./support/api-user.ts";
import { startTestService, type TestService } from "./support/service.ts";
import { callable, endedCall } from "./support/things.ts";

const PATH = "/api/v1/policy/verifications";
/** Simulated callees: docs/api-by-example.md. */
const BUSY = "+15005550002";
const ONCE = { attemptsPerNumber: { month: 1 }, oneCallAtATime: false };

let running: TestService;
let user: ApiUser;
let calls: string[];
let requestedAt: string[];
beforeAll(async () => {
  running = await startTestService();
  user = running.operator;
  const ready = await callable(user);
  [calls, requestedAt] = [[], []];
  for (let nth = 0; nth < 3; nth += 1) {
    const body = { ...ready, to: BUSY, timezone: "Europe/Istanbul" };
    const { callId } = (await user.send("POST", "/api/v1/calls/outbound", { body })).body;
    await endedCall(user, callId);
    calls.push(callId);
    const [requested] = (await user.send("GET", `/api/v1/calls/${callId}/events?limit=1`)).body.data;
    requestedAt.push(requested.occurredAt);
  }
});
afterAll(() => running.stop());

/** Its record when it has ended. */
async function verified(body: object): Promise<Wire> {
  const begun = await user.send("POST", PATH, { body });
  expect(begun.status).toBe(202);
  return ended(begun.body.data.id);
}

async function ended(id: string): Promise<Wire> {
  let found: Wire = null;
  await eventually("the verification to end", async () => {
    found = (await user.send("GET", `${PATH}/${id}`)).body.data;
    return ["done", "failed"].includes(found.status);
  });
  return found;
}

it("finds every dial that a given policy would have refused, with who was dialled and why", async () => {
  const found = await verified({ policy: ONCE });
  expect(found).toMatchObject({ status: "done", progress: 1, dials: 3, problem: null, version: null });
  expect(found.policy).toMatchObject(ONCE);
  expect(found.violations).toEqual({
    count: 2,
    byRule: { attemptsPerNumber: 2 },
    items: calls.slice(1).map((callId, index) => ({
      ...{ rule: "attemptsPerNumber", campaignId: null, contactId: null, callId, phoneNumber: BUSY },
      ...{ at: expect.stringMatching(/Z$/), value: index + 1, limit: "1/month" },
      event: { stream: `call-${callId}`, revision: 0, at: requestedAt[index + 1] },
    })),
  });
  const csv = (await user.send("GET", `${PATH}/${found.id}/violations.csv`)).text.trimEnd().split("\n");
  expect(csv).toHaveLength(3);
  expect(csv[0]).toBe("rule,at,campaignId,contactId,callId,phoneNumber,value,limit,stream,revision,eventAt");
  expect(csv[1]).toContain(`,,,${calls[1]},${BUSY},1,"1/month",call-${calls[1]},0`);
});

it("the policy in force finds nothing where there was none; the current one is judged by from its version on", async () => {
  expect(await verified({})).toMatchObject({ policy: "in_force", dials: 3, violations: { count: 0 } });
  expect(await verified({ policy: "current" })).toMatchObject({ version: 0, violations: { count: 0 } });
  await user.send("PUT", "/api/v1/policy", { body: ONCE });
  expect(await verified({ policy: "current" })).toMatchObject({ version: 1, violations: { count: 2 } });
  expect(await verified({ policy: "in_force" })).toMatchObject({ dials: 3, violations: { count: 0 } });
});

it("judges only dials of the time that is named, and counts those before it", async () => {
  const { violations } = await verified({ policy: ONCE });
  const [, last] = violations.items;
  const late = await verified({ policy: ONCE, from: last.at });
  expect(late).toMatchObject({ dials: 1, violations: { count: 1, items: [{ value: 2, callId: calls[2] }] } });
  expect(await verified({ policy: ONCE, until: last.at })).toMatchObject({
    dials: 2,
    violations: { count: 1 },
  });
  const wrong = await user.send("POST", PATH, { body: { from: last.at, until: violations.items[0].at } });
  expect(wrong.status).toBe(400);
});

it("is listed newest first; nobody else sees it, and only an admin", async () => {
  const { body } = await user.send("GET", `${PATH}?limit=2`);
  expect(body.data).toHaveLength(2);
  expect(body.data[0].id > body.data[1].id).toBe(true);
  const other = await running.newOwner();
  const { id } = body.data[0];
  for (const path of [`${PATH}/${id}`, `${PATH}/${id}/violations.csv`, `${PATH}/pvf_x`])
    expect([path, (await other.send("GET", path)).body.error.code]).toEqual([path, "VERIFICATION_NOT_FOUND"]);
  expect((await other.send("GET", PATH)).body.data).toEqual([]);
  const limited = await user.send("POST", "/api/v1/api-keys", {
    body: { name: "r", scopes: ["account:read"] },
  });
  expect((await running.as(limited.body.data.key).send("GET", PATH)).status).toBe(403);
});

it("two are under way at once, a third is refused", async () => {
  const other = await running.newOwner();
  const begun = await Promise.all([1, 2, 3].map(() => other.send("POST", PATH, { body: {} })));
  expect(begun.map(({ status }) => status).toSorted()).toEqual([202, 202, 429]);
});

it("what a process left that has died is begun again, without what it had found", async () => {
  const { id } = await verified({ policy: ONCE });
  const database = new pg.Client({ connectionString: running.databaseUrl });
  await database.connect();
  await database.query(
    `update work.verifications set completed_at = null, result = null, progress = 0.5, held_by = 'dead:1',
       held_until = clock_timestamp() + interval '1 second' where id = $1`,
    [id],
  );
  await database.query(
    `update work.verification_violations set violation = '{"rule":"listAge"}' where verification_id = $1`,
    [id],
  );
  await database.end();
  expect((await user.send("GET", `${PATH}/${id}`)).body.data).toMatchObject({
    status: "running",
    progress: 0.5,
  });
  const { violations } = await ended(id);
  expect(violations.items.map(({ rule }: Wire) => rule)).toEqual(["attemptsPerNumber", "attemptsPerNumber"]);
});

it("an erased number is blank in what was found before", async () => {
  const { id } = await verified({ policy: ONCE });
  await user.send("POST", "/api/v1/erasures", { body: { phoneNumber: BUSY } });
  const { violations } = (await user.send("GET", `${PATH}/${id}`)).body.data;
  expect(violations.items.map(({ phoneNumber }: Wire) => phoneNumber)).toEqual([null, null]);
  expect((await user.send("GET", `${PATH}/${id}/violations.csv`)).text).not.toContain(BUSY);
});
