import { describe, expect, it } from "vitest";
import type { EligibilityQuestion } from "../../../../application/ports/eligibility.ts";
import type { EligibilityAnswer } from "../../../../domain/policy/eligibility-answer.ts";
import { plusMillis } from "../../../../domain/shared/instant.ts";
import { CALLER, engineProcess, OWNER, openEvents, pass, until } from "../../engine-world.ts";
import { exampleContacts } from "../../example-request.ts";
import { runnerWorld, STREAM } from "./runner-world.ts";

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ASKS = { eligibility: { url: "https://crm.example.com/may-call", timeoutMs: 2_000 } };
const ALLOWED: EligibilityAnswer = { kind: "allowed" };
const REFUSED: EligibilityAnswer = { kind: "refused", reason: null, until: null };
const SILENCE: EligibilityAnswer = { kind: "unavailable", why: "status_500" };

type AnswerOf = (question: EligibilityQuestion) => EligibilityAnswer | Promise<EligibilityAnswer>;

/** A campaign that asks before each dial; what it asked, with seconds since its start. */
function askingWorld(answerOf: AnswerOf, planConcurrentCalls = 10) {
  const asked: { readonly second: number; readonly question: EligibilityQuestion }[] = [];
  let startedAt = 0;
  const world = runnerWorld({
    planConcurrentCalls,
    credits: 1_000,
    answerOf: (question) => {
      asked.push({ second: (world.stores.clock.nowMillis() - startedAt) / SECOND, question });
      return answerOf(question);
    },
  });
  const { stores } = world;
  return {
    ...world,
    asked,
    secondsOf: (contactId: string) =>
      asked
        .filter(({ question }) => question.contactId === contactId)
        .map(({ second }) => Math.round(second)),
    start: (count: number, changes: Parameters<typeof world.started>[1] = {}) => {
      startedAt = stores.clock.nowMillis();
      return world.started(count, { ...ASKS, ...changes });
    },
    data: (type: string) =>
      openEvents(stores, STREAM).flatMap((event) => (event.type === type ? [event.data] : [])),
  };
}

describe("a campaign that asks before each dial", () => {
  it("asks with what it knows of the contact, and dials with the answer as evidence", async () => {
    const { start, asked, data, requests } = askingWorld(() => ALLOWED);
    const [given] = exampleContacts(1, { orderId: 7 });
    if (given === undefined) throw new Error("no contact");
    const contacts = [{ ...given, name: "Ada", externalId: "crm-1" }];
    await start(1, { contacts, metadata: { team: "north" } });
    const [dialed] = data("ContactDialed");
    const [question] = asked.map((each) => each.question);
    expect(question).toEqual({
      eventId: expect.any(String),
      occurredAt: "2026-09-01T10:00:00.000Z",
      ...{ phoneNumber: "+12025550000", name: "Ada", customData: { orderId: 7 }, externalId: "crm-1" },
      ...{ campaignId: "cmp_1", contactId: dialed?.["contactId"], attempt: 1, metadata: { team: "north" } },
    });
    const eligibility = { eventId: question?.eventId, askedAt: question?.occurredAt, millis: 0 };
    expect(dialed?.["evidence"]).toMatchObject({ eligibility });
    expect(dialed?.["evidence"]).not.toHaveProperty("policyVersion");
    // A call says by which policy it was judged, and there is none.
    expect(requests()[0]?.data).not.toHaveProperty("evidence");
  });

  it("dials nobody later than 60 s after the question", async () => {
    const { stores, start, data } = askingWorld(async () => {
      await stores.clock.sleep(4_000);
      return ALLOWED;
    });
    await start(1);
    await pass(stores, 5_000);
    const [dialed] = data("ContactDialed");
    expect(dialed?.["at"]).toBe("2026-09-01T10:00:04.000Z");
    expect(dialed?.["dialBy"]).toBe("2026-09-01T10:00:19.000Z");
  });

  it("asks about those who could be dialled next, and 16 more, whatever the batch", async () => {
    const { stores, start, asked, count } = askingWorld(() => ALLOWED, 3);
    await start(50);
    await pass(stores, 2_000);
    expect([count("ContactDialed"), asked.length]).toEqual([3, 3 + 16]);
    // Those 16 are asked about again when their answers are old, and nobody else is.
    await pass(stores, 50 * SECOND);
    expect(asked.length).toBe(19 + 16);
    expect(new Set(asked.map(({ question }) => question.contactId)).size).toBe(19);
  });

  it("asks about nobody on the do-not-call list", async () => {
    const { stores, start, asked, data } = askingWorld(() => ALLOWED);
    stores.directory.suppress(OWNER, "+12025550000");
    await start(2);
    expect(asked.map(({ question }) => question.phoneNumber)).toEqual(["+12025550001"]);
    expect(data("ContactSkipped")).toMatchObject([{ reason: "suppressed" }]);
  });

  it("uses an answer for one attempt: the next one is asked about again", async () => {
    const { stores, start, ends, live, asked, data } = askingWorld(() => ALLOWED);
    await start(1, { maxRetries: 1, retryIntervalMins: 1 });
    await pass(stores, 1_000);
    const [call] = live();
    if (call === undefined) throw new Error("nobody is called");
    await ends(call);
    await pass(stores, 2 * MINUTE);
    expect(asked.map(({ question }) => question.attempt)).toEqual([1, 2]);
    const ids = data("ContactDialed").map(({ evidence }) => evidence);
    expect(ids).toMatchObject(asked.map(({ question }) => ({ eligibility: { eventId: question.eventId } })));
  });
});

describe("a policy that asks before each dial", () => {
  const RULES = {
    ...{ callableHours: null, attemptsPerNumber: null, oneCallAtATime: true, exceptSingleCalls: false },
    ...ASKS,
  };

  it("says so in the evidence of the dial and of its call", async () => {
    const { stores, start, asked, data, requests } = askingWorld(() => ALLOWED);
    await stores.policies.store(OWNER, 2, RULES);
    await start(1, { eligibility: null });
    await pass(stores, SECOND);
    const { eventId, occurredAt: askedAt } = asked[0]?.question ?? {};
    const evidence = { policyVersion: 2, eligibility: { eventId, askedAt, millis: 0 } };
    expect(data("ContactDialed")[0]?.["evidence"]).toMatchObject(evidence);
    expect(requests()[0]?.data["evidence"]).toMatchObject(evidence);
  });

  it("dials nobody before it is known here, and asks when it is", async () => {
    const { stores, start, asked, count, data } = askingWorld(() => REFUSED);
    await stores.policies.store(OWNER, 2, RULES);
    const { inForce } = stores.policies;
    const { eligibility: _, ...before } = RULES;
    stores.policies.inForce = async () => ({ version: 1, policy: before });
    await start(2, { eligibility: null });
    await pass(stores, 3 * SECOND);
    expect([asked.length, count("ContactDialed"), count("ContactHeld")]).toEqual([0, 0, 0]);
    stores.policies.inForce = inForce;
    await pass(stores, 3 * SECOND);
    expect([asked.length, data("ContactSkipped").length]).toEqual([2, 2]);
  });
});

describe("a contact whom the address refuses", () => {
  it("is skipped for good, in its words, which are sealed", async () => {
    const refusal = "has paid";
    const { stores, start, data, count } = askingWorld(() => ({ ...REFUSED, reason: refusal }));
    await start(2);
    expect(data("ContactSkipped")).toMatchObject([
      { reason: "not_eligible", outcome: "skipped", refusal },
      { reason: "not_eligible", outcome: "skipped", refusal },
    ]);
    expect(count("ContactDialed")).toBe(0);
    expect(JSON.stringify(stores.database.events)).not.toContain(refusal);
  });

  it("is held until the time that it says, and then asked about again", async () => {
    const { stores, start, secondsOf, data } = askingWorld(({ occurredAt }) => ({
      ...{ kind: "refused", reason: "on holiday" },
      until: plusMillis(occurredAt, 2 * HOUR),
    }));
    await start(1);
    const [held] = data("ContactHeld");
    expect(held).toMatchObject({
      ...{ rule: "eligibility", until: "2026-09-01T12:00:00.000Z", heldBy: null, policyVersion: 0 },
      ...{ value: null, limit: null, refusal: "on holiday" },
    });
    await pass(stores, 3 * HOUR);
    expect(secondsOf(String(held?.["contactId"]))).toEqual([0, 7_200]);
    expect(data("ContactHeld")).toHaveLength(2);
    expect(JSON.stringify(stores.database.events)).not.toContain("on holiday");
  });

  it("until a time that is over is asked about each 30 s, and held by one event an hour", async () => {
    const { stores, start, secondsOf, data } = askingWorld(({ occurredAt }) => ({
      ...{ kind: "refused", reason: null },
      until: occurredAt,
    }));
    await start(1);
    await pass(stores, 2 * HOUR);
    const contactId = String(data("ContactHeld")[0]?.["contactId"]);
    expect(secondsOf(contactId).slice(0, 4)).toEqual([0, 30, 60, 90]);
    expect(data("ContactHeld").length).toBeLessThanOrEqual(3);
  });
});

describe("an address that does not answer", () => {
  it("is asked again after 30 s, 1, 2 and 5 minutes; nobody is called, and one event tells of it", async () => {
    const { stores, start, secondsOf, data, count } = askingWorld(() => SILENCE);
    await start(1);
    const contactId = String(data("ContactHeld")[0]?.["contactId"]);
    await pass(stores, 8 * MINUTE);
    expect(secondsOf(contactId)).toEqual([0, 30, 90, 210]);
    expect(data("ContactHeld")).toMatchObject([
      { rule: "eligibility_unavailable", value: "status_500", limit: null, heldBy: null, policyVersion: 0 },
    ]);
    expect(count("ContactDialed")).toBe(0);
  });

  it("is asked each 15 minutes from the fifth time on, and one event an hour tells of it", async () => {
    // An answer about somebody else between its failures, so that the address never counts as silent.
    let failed = "";
    const { stores, start, secondsOf, data } = askingWorld(({ contactId, occurredAt }) => {
      failed ||= contactId ?? "";
      return contactId === failed
        ? SILENCE
        : { kind: "refused", reason: null, until: plusMillis(occurredAt, MINUTE) };
    });
    await start(2);
    await pass(stores, HOUR);
    const quarters = [510, 1_410, 2_310, 3_210];
    expect(secondsOf(failed)).toEqual([0, 30, 90, 210, ...quarters]);
    const held = data("ContactHeld").filter(({ contactId }) => contactId === failed);
    expect([held.length, data("CampaignPaused").length]).toEqual([1, 0]);
  });

  it("pauses the campaign after five in a row, is asked each 10 s, and lets it go on", async () => {
    let answer: EligibilityAnswer = SILENCE;
    const { stores, start, asked, data, count } = askingWorld(() => answer);
    await start(8);
    expect(data("CampaignPaused")).toMatchObject([{ reason: "eligibility_unavailable" }]);
    expect([asked.length, count("ContactDialed")]).toEqual([8, 0]);
    await pass(stores, MINUTE);
    expect([asked.length, data("CampaignPaused").length]).toEqual([8 + 6, 1]);
    // By turns, so that one who cannot be answered for does not keep the others.
    expect(new Set(asked.slice(8).map(({ question }) => question.contactId)).size).toBe(6);
    answer = ALLOWED;
    await pass(stores, 15 * SECOND);
    expect(data("CampaignResumed")).toMatchObject([{ by: "system" }]);
    await pass(stores, 16 * MINUTE);
    expect([count("ContactDialed"), data("CampaignPaused").length]).toEqual([8, 1]);
  });

  it("stays silent for who takes the campaign over, until it has answered", async () => {
    let answer: EligibilityAnswer = SILENCE;
    const { stores, one, start, asked, data, count } = askingWorld(() => answer);
    await start(6);
    one.stop();
    await pass(stores, MINUTE);
    const before = asked.length;
    const two = engineProcess(stores, { processId: "two" });
    await pass(stores, MINUTE);
    expect([asked.length > before, data("CampaignPaused").length, data("CampaignResumed").length]).toEqual([
      true,
      1,
      0,
    ]);
    answer = ALLOWED;
    await pass(stores, 16 * MINUTE);
    expect(count("ContactDialed")).toBe(6);
    two.stop();
  });

  it("keeps nobody who was put on a list while the campaign was paused because of it", async () => {
    const { stores, start, asked, data, types } = askingWorld(async () => {
      await stores.clock.sleep(asked.length * 100);
      return SILENCE;
    });
    await start(6);
    await pass(stores, 10 * SECOND);
    expect(data("ContactHeld").length).toBeGreaterThan(0);
    for (let number = 0; number < 6; number += 1)
      stores.directory.suppress(OWNER, `+1202555000${number}` as const);
    const before = asked.length;
    await pass(stores, MINUTE);
    expect([data("ContactSkipped").length, types().at(-1), asked.length]).toEqual([
      6,
      "CampaignCompleted",
      before,
    ]);
    // Each time that somebody is free of a hold, and not while all of them are held.
    expect(data("CampaignPaused").length).toBeLessThanOrEqual(4);
  });

  it("is not asked about a campaign that a user has paused", async () => {
    const { stores, one, start, asked } = askingWorld(() => SILENCE);
    await start(6);
    await until(stores, one.useCases.pauseCampaign(CALLER, "cmp_1"));
    const before = asked.length;
    await pass(stores, 5 * MINUTE);
    expect(asked.length - before).toBeLessThanOrEqual(1);
  });
});

it("an address is not asked for an owner who is inactive", async () => {
  const { stores, start, asked, count } = askingWorld(() => ALLOWED);
  const owner = await stores.directory.owner(OWNER);
  if (owner === null) throw new Error("no owner");
  stores.directory.setOwner(OWNER, { ...owner, active: false });
  await start(2);
  await pass(stores, 10 * SECOND);
  expect(asked).toEqual([]);
  stores.directory.setOwner(OWNER, owner);
  await pass(stores, 20 * SECOND);
  expect([asked.length, count("ContactDialed")]).toEqual([2, 2]);
});
