import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Instant, instantFromMillis, millisOf } from "../../domain/shared/instant.ts";
import { localTime, nextOpening } from "../../domain/window/call-window.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import type { ApiUser, Wire } from "./support/api-user.ts";
import { startTestService, type TestService } from "./support/service.ts";
import { type Callable, callable, campaignBody, made } from "./support/things.ts";

const CAMPAIGNS = "/api/v1/campaigns";
/** Simulated callees (docs/api-by-example.md). */
const TALKS = "+15005550006";
const TALKS_TOO = "+15005550016";
const NEVER_HANGS_UP = "+15005550011";
/** Of no country. */
const NOWHERE = "+80012345678";
const NOWHERE_TOO = "+80087654321";
const ALL_OFF = { oneCallAtATime: false };
const WAIT_MILLIS = 60_000;

const now = (): Instant => instantFromMillis(Date.now());
const hourIn = (zone: string) => Number(localTime(zone, now()).localTime.slice(11, 13));
/** Where it is day, so that no test passes midnight. */
const ZONE = ["UTC", "Asia/Tokyo", "America/Los_Angeles"].find(
  (zone) => hourIn(zone) > 4 && hourIn(zone) < 19,
);

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
}, 120_000);
afterAll(() => service.stop());

type Owner = { readonly user: ApiUser; readonly ready: Callable };

async function owner(): Promise<Owner> {
  const user = await service.newOwner();
  return { user, ready: await callable(user) };
}

async function put({ user }: Owner, policy: object): Promise<void> {
  expect((await user.send("PUT", "/api/v1/policy", { body: policy })).status).toBe(200);
}

const person = (phoneNumber: string) => ({ phoneNumber, timezone: ZONE });

async function create({ user, ready }: Owner, contacts: readonly object[], more: object = {}): Promise<Wire> {
  return made(user, CAMPAIGNS, campaignBody(ready, { contacts, ...more }));
}

async function started(who: Owner, contacts: readonly object[], more: object = {}): Promise<string> {
  const { id } = (await create(who, contacts, more)).campaign;
  expect((await who.user.send("POST", `${CAMPAIGNS}/${id}/start`)).status).toBe(200);
  return id;
}

const data = async ({ user }: Owner, path: string): Promise<Wire> => (await user.send("GET", path)).body.data;
const campaignOf = async (who: Owner, id: string) => (await data(who, `${CAMPAIGNS}/${id}`)).campaign;
const statisticsOf = (who: Owner, id: string, query = "") =>
  data(who, `${CAMPAIGNS}/${id}/statistics${query}`);
const contactsOf = (who: Owner, id: string, query = "") => data(who, `${CAMPAIGNS}/${id}/contacts${query}`);
const whyOf = (who: Owner, id: string, contactId: string) =>
  data(who, `${CAMPAIGNS}/${id}/contacts/${contactId}/explain`);
const turnsInto = (who: Owner, id: string, status: string, millis = WAIT_MILLIS) =>
  eventually(`${id} to be ${status}`, async () => (await campaignOf(who, id)).status === status, millis);
const heldIn = (who: Owner, id: string, count: number) =>
  eventually(`${count} to be held`, async () => (await statisticsOf(who, id)).held === count, WAIT_MILLIS);

const midnight = (): Instant | null =>
  nextOpening(ZONE ?? "UTC", { start: 0, end: 0, excludedDates: [today()] }, now());
const today = () => localTime(ZONE ?? "UTC", now()).localTime.slice(0, 10);

describe("a limit of dials a day", () => {
  it("lets two campaigns over the same people call each once, and holds the second's until tomorrow", async () => {
    const who = await owner();
    await put(who, { attemptsPerNumber: { day: 1 }, ...ALL_OFF });
    const people = [person(TALKS), person(TALKS_TOO)];
    const first = await started(who, people);
    await turnsInto(who, first, "COMPLETED");
    const second = await started(who, people);
    await heldIn(who, second, 2);

    const until = midnight();
    const calls: Wire[] = await data(who, "/api/v1/calls");
    expect(calls.map(({ to }) => to).toSorted()).toEqual([TALKS, TALKS_TOO]);
    const held: Wire[] = await contactsOf(who, second, "?held=true");
    expect(
      held.map(({ phoneNumber, status, attempts, nextAttemptAt }) => [
        phoneNumber,
        status,
        attempts,
        nextAttemptAt,
      ]),
    ).toEqual(people.map(({ phoneNumber }) => [phoneNumber, "pending", [], until]));
    expect(await contactsOf(who, second, "?held=false")).toEqual([]);
    const hold = { rule: "attemptsPerNumber", until, policyVersion: 1 };
    expect(held[0].hold).toEqual({ ...hold, since: expect.any(String) });
    expect((await data(who, `${CAMPAIGNS}/${second}/contacts/${held[0].id}`)).hold).toEqual(held[0].hold);
    const why = await whyOf(who, second, held[0].id);
    expect(why).toMatchObject({
      verdict: "held_by_policy",
      until,
      hold: { ...hold, heldBy: null, value: 1, limit: "1/day" },
      because: [{ type: "ContactHeld" }, { type: "PolicyChanged" }],
    });
    expect(why.sentence).toMatch(
      /is held by version 1 of the policy since .* until .*: the number was dialled once that day, and at most 1 dial a day is allowed\.$/,
    );
    expect((await statisticsOf(who, second, `?at=${now()}`)).held).toBe(2);
    const { createdAt } = await campaignOf(who, second);
    expect((await statisticsOf(who, second, `?at=${createdAt}`)).held).toBe(0);
    expect(await contactsOf(who, second, `?at=${now()}`)).toEqual(held);
    await eventually("its progress", async () => {
      const { dueNow, waitingFor } = await data(who, `${CAMPAIGNS}/${second}/progress`);
      return dueNow === 0 && waitingFor === "policy";
    });
    const csv = await who.user.send("GET", `${CAMPAIGNS}/${second}/contacts.csv`);
    const [head = "", line = ""] = csv.text.split("\n");
    const cell = (name: string) => line.split(",")[head.split(",").indexOf(name)];
    expect([cell("holdRule"), cell("heldUntil"), cell("skipReason")]).toEqual([
      "attemptsPerNumber",
      until,
      "",
    ]);

    // Another version lifts the holds.
    const lifted = performance.now();
    await put(who, { attemptsPerNumber: { day: 2 }, ...ALL_OFF });
    expect((await statisticsOf(who, second)).held).toBe(0);
    await eventually("a dial", async () => (await statisticsOf(who, second)).attempts > 0);
    expect(performance.now() - lifted).toBeLessThan(2_000);
    await turnsInto(who, second, "COMPLETED");
    const dialed = await data(who, `/api/v1/events?types=ContactDialed&limit=200`);
    expect(dialed.at(-1).data.evidence).toMatchObject({
      policyVersion: 2,
      checks: [{ rule: "attemptsPerNumber", value: 1, limit: "2/day" }],
      zones: { country: null, count: 1 },
    });
  }, 120_000);
});

describe("callable hours", () => {
  it("pause a campaign as its window does, until they open or another version says otherwise", async () => {
    const who = await owner();
    const hours = { start: hourIn(ZONE ?? "UTC") + 2, end: hourIn(ZONE ?? "UTC") + 3 };
    await put(who, { callableHours: hours, ...ALL_OFF });
    const id = await started(who, [person(TALKS)]);
    await turnsInto(who, id, "PAUSED");
    const opensAt = nextOpening(ZONE ?? "UTC", hours, now());
    expect(await campaignOf(who, id)).toMatchObject({
      pauseReason: "outside_call_window",
      nextWindowOpensAt: opensAt,
    });
    const [contact] = await contactsOf(who, id);
    const why = await whyOf(who, id, contact.id);
    expect([why.verdict, why.until]).toEqual(["paused", opensAt]);
    expect(why.sentence).toMatch(
      /by version 1 of the policy people are called between \d\d:00 and \d\d:00 where they live/,
    );
    await put(who, ALL_OFF);
    await turnsInto(who, id, "COMPLETED");
  }, 120_000);

  it("skip who lives nobody knows where, with a warning beforehand", async () => {
    const who = await owner();
    await put(who, { callableHours: { start: 0, end: 23, endMinute: 59 }, ...ALL_OFF });
    const { campaign, warnings } = await create(who, [{ phoneNumber: NOWHERE }, person(TALKS_TOO)]);
    expect(warnings).toContainEqual(expect.objectContaining({ code: "policy_zone_unknown", count: 1 }));
    const { body } = await who.user.send("POST", `${CAMPAIGNS}/${campaign.id}/start`);
    expect(body.data.warnings.map(({ code }: Wire) => code)).toContain("policy_zone_unknown");
    await turnsInto(who, campaign.id, "COMPLETED");
    const contacts: Wire[] = await contactsOf(who, campaign.id);
    expect(contacts.map(({ status, skipReason, hold }) => [status, skipReason, hold])).toEqual([
      ["skipped", "zone_unknown", null],
      ["succeeded", null, null],
    ]);
    const why = await whyOf(who, campaign.id, contacts[0].id);
    expect(why.verdict).toBe("skipped");
    expect(why.sentence).toContain("where somebody with this number lives is not known");
  }, 120_000);

  it("pause a campaign of which nobody's zone is known, until another version", async () => {
    const who = await owner();
    await put(who, { callableHours: { start: 0, end: 23, endMinute: 59 }, ...ALL_OFF });
    const id = await started(who, [{ phoneNumber: NOWHERE }, { phoneNumber: NOWHERE_TOO }]);
    await turnsInto(who, id, "PAUSED");
    expect(await campaignOf(who, id)).toMatchObject({
      pauseReason: "policy_refuses_all",
      skippedContacts: 0,
    });
    await put(who, ALL_OFF);
    await turnsInto(who, id, "RUNNING");
    await eventually("their calls", async () => (await statisticsOf(who, id)).attempts >= 2);
  }, 120_000);
});

describe("one call at a time", () => {
  it("holds who is in a call of another campaign, names that call, and calls right after it", async () => {
    const who = await owner();
    await put(who, { oneCallAtATime: true });
    const first = await started(who, [{ phoneNumber: NEVER_HANGS_UP }]);
    const callId = await eventually("its call", async () => {
      const [{ attempts }] = await contactsOf(who, first);
      return attempts[0]?.status === "in_progress" ? String(attempts[0].callId) : null;
    });
    const second = await started(who, [{ phoneNumber: NEVER_HANGS_UP }]);
    await heldIn(who, second, 1);
    const [contact] = await contactsOf(who, second);
    expect(contact).toMatchObject({
      status: "pending",
      nextAttemptAt: null,
      hold: { rule: "oneCallAtATime", until: null, policyVersion: 1 },
    });
    const why = await whyOf(who, second, contact.id);
    expect(why).toMatchObject({ verdict: "held_by_policy", until: null, hold: { heldBy: callId } });
    expect(why.sentence).toContain(`the number is in the call ${callId}`);

    const ending = Date.now();
    await who.user.send("DELETE", `/api/v1/calls/outbound/${callId}`);
    const again = await eventually("the call of the second", async () => {
      const [{ attempts }] = await contactsOf(who, second);
      return attempts[0] ?? null;
    });
    expect(millisOf(again.startedAt) - ending).toBeLessThan(10_000);
    const { endedAt } = await data(who, `/api/v1/calls/${callId}`);
    expect(again.startedAt > endedAt).toBe(true);
    expect((await statisticsOf(who, second)).held).toBe(0);
    await who.user.send("DELETE", `/api/v1/calls/outbound/${again.callId}`);
    await turnsInto(who, second, "COMPLETED");
  }, 120_000);
});
