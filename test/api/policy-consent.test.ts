import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../simulation/drills/eventually.ts";
import type { ApiUser, Wire } from "./support/api-user.ts";
import { startTestService, type TestService } from "./support/service.ts";
import { type Callable, callable, campaignBody, endedCall, made } from "./support/things.ts";

const CAMPAIGNS = "/api/v1/campaigns";
const LISTS = "/api/v1/suppression-lists";
const OUTBOUND = "/api/v1/calls/outbound";
/** Simulated callees (docs/api-by-example.md). */
const TALKS = "+15005550006";
const TALKS_TOO = "+15005550016";
const DAY = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString();
const CONSENT = { source: "Form on the web", at: ago(7) };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
}, 120_000);
afterAll(() => service.stop());

type Owner = { readonly user: ApiUser; readonly ready: Callable };

async function ownerWith(policy: object | null): Promise<Owner> {
  const user = await service.newOwner();
  const body = { oneCallAtATime: false, ...policy };
  if (policy !== null) expect((await user.send("PUT", "/api/v1/policy", { body })).status).toBe(200);
  return { user, ready: await callable(user) };
}

const call = ({ user, ready }: Owner, more: object = {}) =>
  user.send("POST", OUTBOUND, { body: { ...ready, to: TALKS, ...more } });
const data = async ({ user }: Owner, path: string): Promise<Wire> => (await user.send("GET", path)).body.data;

async function started({ user, ready }: Owner, contacts: readonly object[]): Promise<string> {
  const { campaign } = await made(user, CAMPAIGNS, campaignBody(ready, { contacts }));
  expect((await user.send("POST", `${CAMPAIGNS}/${campaign.id}/start`)).status).toBe(200);
  return campaign.id;
}
const campaignOf = async (who: Owner, id: string) => (await data(who, `${CAMPAIGNS}/${id}`)).campaign;
const turnsInto = (who: Owner, id: string, status: string, millis = 60_000) =>
  eventually(`${id} to be ${status}`, async () => (await campaignOf(who, id)).status === status, millis);

async function load({ user }: Owner, id: string, asOf: string): Promise<void> {
  const raw = "phone\n+905321112233\n";
  const headers = { "content-type": "text/csv" };
  const answer = await user.send("PUT", `${LISTS}/${id}/numbers?asOf=${asOf}`, { raw, headers });
  expect([answer.status, answer.body]).toMatchObject([200, {}]);
}

const refused = ({ status, body }: { readonly status: number; readonly body: Wire }) => [
  status,
  body.error?.code,
  body.error?.details.map(({ path }: Wire) => path[0]),
];

describe("a policy that asks for consent", () => {
  it("refuses a single call without it, and stores with the call by which it was allowed", async () => {
    const who = await ownerWith({ requireConsent: true });
    const without = await call(who);
    expect(refused(without)).toEqual([403, "POLICY_REFUSED", ["consent"]]);
    expect(without.body.error.details[0]).toMatchObject({
      message: "Only who has given consent is called: give the person's consent",
      until: null,
    });
    const expired = await call(who, { consent: { ...CONSENT, expiresAt: ago(1) } });
    expect(refused(expired)).toEqual([403, "POLICY_REFUSED", ["consent"]]);
    const { status, body } = await call(who, { consent: CONSENT });
    expect(status).toBe(200);
    await endedCall(who.user, body.callId);
    const events: Wire[] = await data(who, "/api/v1/events?types=CallRequested");
    expect(events.map((event) => event.data.evidence.checks)).toEqual([
      [{ rule: "consent", value: CONSENT.at, limit: null }],
    ]);
  }, 120_000);

  it("skips contacts without it, and calls the others", async () => {
    const who = await ownerWith({ requireConsent: true });
    const id = await started(who, [
      { phoneNumber: TALKS, consent: CONSENT },
      { phoneNumber: TALKS_TOO },
      { phoneNumber: "+15005550026", consent: { ...CONSENT, expiresAt: ago(1) } },
    ]);
    await turnsInto(who, id, "COMPLETED");
    const contacts: Wire[] = await data(who, `${CAMPAIGNS}/${id}/contacts`);
    expect(contacts.map(({ status, skipReason }) => [status, skipReason])).toEqual([
      ["succeeded", null],
      ["skipped", "no_consent"],
      ["skipped", "no_consent"],
    ]);
  }, 120_000);

  it("pauses a campaign in which nobody has one; a resume by hand skips them", async () => {
    const who = await ownerWith({ requireConsent: true });
    const id = await started(who, [{ phoneNumber: TALKS }, { phoneNumber: TALKS_TOO }]);
    await turnsInto(who, id, "PAUSED");
    expect(await campaignOf(who, id)).toMatchObject({
      pauseReason: "policy_refuses_all",
      skippedContacts: 0,
    });
    await who.user.send("POST", `${CAMPAIGNS}/${id}/resume`);
    await turnsInto(who, id, "COMPLETED");
    expect(await campaignOf(who, id)).toMatchObject({ skippedContacts: 2 });
  }, 120_000);
});

describe("the age of lists", () => {
  it("refuses and pauses while there is no young one, and lets all go on within 10 s of one", async () => {
    const who = await ownerWith({ listMaxAgeDays: 30, exceptSingleCalls: true });
    expect(refused(await call(who))).toEqual([403, "POLICY_REFUSED", ["listAge"]]);
    const id = await started(who, [{ phoneNumber: TALKS }]);
    await turnsInto(who, id, "PAUSED");
    expect((await campaignOf(who, id)).pauseReason).toBe("list_outdated");
    const { id: list } = await made(who.user, LISTS, { name: "National register", kind: "registry" });
    const old = ago(31);
    await load(who, list, old);
    expect((await call(who)).body.error.details[0].message).toBe(
      `The oldest registry list is of ${old}, and may be at most 30 days old`,
    );
    expect((await campaignOf(who, id)).status).toBe("PAUSED");
    await load(who, list, ago(1));
    await eventually("it to go on", async () => (await campaignOf(who, id)).status !== "PAUSED", 10_000);
    expect((await call(who)).status).toBe(200);
    await turnsInto(who, id, "COMPLETED");
  }, 120_000);

  it("refuses and pauses also without a policy, where the log knows of newer numbers", async () => {
    const who = await ownerWith(null);
    const { id: list } = await made(who.user, LISTS, { name: "Register", kind: "own" });
    const database = new pg.Client(service.databaseUrl);
    await database.connect();
    await database.query("update config.suppression_lists set is_behind = true where id = $1", [list]);
    await database.end();
    const behind = await call(who);
    expect(refused(behind)).toEqual([403, "POLICY_REFUSED", ["listAge"]]);
    expect(behind.body.error.details[0].message).toMatch(/put its numbers again$/);
    const id = await started(who, [{ phoneNumber: TALKS }]);
    await turnsInto(who, id, "PAUSED");
    expect((await campaignOf(who, id)).pauseReason).toBe("list_outdated");
    await load(who, list, ago(0));
    await eventually("it to go on", async () => (await campaignOf(who, id)).status !== "PAUSED", 10_000);
    expect((await call(who)).status).toBe(200);
  }, 120_000);
});
