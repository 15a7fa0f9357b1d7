import { describe, expect, it } from "vitest";
import type { EventStore } from "../../../../application/ports/event-store.ts";
import { creditsToUnits } from "../../../../domain/shared/credits.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  OWNER,
  openEvents,
  PHONE_NUMBER,
  pass,
  until,
} from "../../engine-world.ts";
import { exampleContacts } from "../../example-request.ts";
import { ASKED_AGAIN_MILLIS, AT_ONCE_MILLIS, runnerWorld, STREAM } from "./runner-world.ts";

describe("a running campaign", () => {
  it("dials as many at once as its own cap allows, and the next one as soon as one has ended", async () => {
    const { stores, one, started, ends, live } = runnerWorld();
    await started(4, { maxConcurrentCalls: 2 });
    expect(one.placed).toHaveLength(2);
    await pass(stores, 10_000);
    expect(one.placed).toHaveLength(2);
    await ends(live()[0] ?? "call_none");
    await pass(stores, AT_ONCE_MILLIS);
    expect(one.placed).toHaveLength(3);
  });

  it("says to each contact what it says of it, and names it in its call", async () => {
    const { started, requests } = runnerWorld();
    const contacts = exampleContacts(1).map((contact) => ({
      ...contact,
      name: "Zoë",
      customData: { city: "Rome" },
    }));
    await started(1, {
      contacts,
      specialInstructions: "About {{city}}",
      metadata: { order: 7 },
      ringTimeoutSeconds: 33,
    });
    expect(requests().map(({ data, metadata }) => [data, metadata.actor])).toMatchObject([
      [
        {
          to: "+12025550000",
          from: "+15005550000",
          campaignId: "cmp_1",
          contactName: "Zoë",
          customData: { city: "Rome" },
          greetingMessage: "Hello Zoë",
          specialInstructions: "About Rome",
          metadata: { order: 7 },
          ringTimeoutSeconds: 33,
          attempt: 1,
        },
        "process:campaign-runner",
      ],
    ]);
  });

  it("goes on at once by a new version of the owner's policy, whichever process stored it", async () => {
    const { stores, one, started, last, count } = runnerWorld();
    const off = {
      callableHours: null,
      attemptsPerNumber: null,
      oneCallAtATime: false,
      exceptSingleCalls: false,
    };
    // At 10:00 UTC it is 6 o'clock where the numbers are, or earlier.
    await stores.policies.store(OWNER, 1, { ...off, callableHours: { start: 9, end: 20 } });
    await started(1);
    await pass(stores, ASKED_AGAIN_MILLIS);
    expect([one.placed, last()?.data["reason"]]).toEqual([[], "outside_call_window"]);
    await stores.policies.store("usr_another", 1, off);
    await pass(stores, AT_ONCE_MILLIS);
    expect(count("CampaignResumed")).toBe(0);
    await stores.policies.store(OWNER, 2, off);
    await pass(stores, AT_ONCE_MILLIS);
    expect([one.placed.length, count("CampaignResumed")]).toEqual([1, 1]);
  });

  it("passes over a number of the do-not-call list, and says what stood there of it", async () => {
    const { stores, started, requests } = runnerWorld();
    stores.directory.suppress(OWNER, "+12025550000");
    await started(2);
    expect(requests().map(({ data }) => data["to"])).toEqual(["+12025550001"]);
    const skipped = openEvents(stores, STREAM).find(({ type }) => type === "ContactSkipped");
    expect(skipped?.data).toMatchObject({ reason: "suppressed" });
    expect(skipped?.data["suppression"]).toMatchObject({ createdAt: "2026-09-01T00:00:00.000Z" });
  });

  it("whose contacts are all on the do-not-call list is over at once", async () => {
    const { stores, started, types } = runnerWorld();
    stores.directory.suppress(OWNER, "+12025550000");
    await started(1);
    expect(types().slice(-2)).toEqual(["ContactSkipped", "CampaignCompleted"]);
  });

  it("records each end once, and completes with the last of them", async () => {
    const { stores, started, ends, live, count, last } = runnerWorld();
    await started(2);
    for (const callId of live()) await ends(callId);
    await pass(stores, AT_ONCE_MILLIS);
    expect([count("ContactAttemptFailed"), last()?.type]).toEqual([2, "CampaignCompleted"]);
    await pass(stores, 60_000);
    expect([count("ContactAttemptFailed"), last()?.type]).toEqual([2, "CampaignCompleted"]);
  });

  it("records an outcome half a second later when the log was away", async () => {
    let away = false;
    const { stores, started, ends, live, count, last } = runnerWorld({
      wrapStore: (store: EventStore): EventStore => ({
        ...store,
        append: async (stream, ...rest) => {
          if (away && stream === STREAM) throw new TypeError("broken");
          return store.append(stream, ...rest);
        },
      }),
    });
    await started(1);
    away = true;
    await ends(live()[0] ?? "call_none");
    await pass(stores, 5_000);
    away = false;
    expect(count("ContactAttemptFailed")).toBe(0);
    await pass(stores, 2_000);
    expect([count("ContactAttemptFailed"), last()?.type]).toEqual([1, "CampaignCompleted"]);
  });

  it("calls contacts that another process added", async () => {
    const { stores, started, requests } = runnerWorld();
    await started(1);
    const other = engineProcess(stores, { processId: "api", works: false });
    const contacts = exampleContacts(["+12025559999"]);
    const more = { contacts, refusedRows: [], skipDuplicates: false, reservedImportId: null };
    await until(stores, other.useCases.addContacts(CALLER, "cmp_1", more));
    await pass(stores, AT_ONCE_MILLIS);
    expect(requests().map(({ data }) => data["to"])).toEqual(["+12025550000", "+12025559999"]);
  });
});

describe("a campaign that cannot go on", () => {
  it("pauses when the credits are used up, and goes on when some come", async () => {
    const { stores, one, started, last } = runnerWorld({ credits: 1 });
    await started(2);
    expect(last()).toMatchObject({ type: "CampaignPaused", data: { reason: "insufficient_credits" } });
    expect(one.placed).toHaveLength(1);
    await stores.admission.topUp(OWNER, creditsToUnits(1), "more");
    await pass(stores, ASKED_AGAIN_MILLIS + AT_ONCE_MILLIS);
    expect(one.placed).toHaveLength(2);
  });

  it.each([
    ["phone_number_inactive", false],
    ["assistant_unpublished", true],
  ] as const)("pauses at once as %s when that is so", async (reason, assistant) => {
    const { stores, one, started, ends, live } = runnerWorld();
    await started(3, { maxConcurrentCalls: 1 });
    if (assistant) stores.directory.unpublish(OWNER, ASSISTANT);
    else stores.directory.setPhoneNumber(OWNER, PHONE_NUMBER, { phoneNumber: "+15005550000", active: false });
    await pass(stores, AT_ONCE_MILLIS);
    await ends(live()[0] ?? "call_none");
    await pass(stores, AT_ONCE_MILLIS);
    const paused = openEvents(stores, STREAM).find(({ type }) => type === "CampaignPaused");
    expect(paused?.data["reason"]).toBe(reason);
    expect(one.placed).toHaveLength(1);
  });

  it("pauses after five dials in a row that the carrier did not answer, and goes on when it is there again", async () => {
    let away = true;
    const { stores, started, types, last } = runnerWorld({
      placeCall: async ({ callId }) => {
        if (away) return { kind: "unknown", cause: "no answer", noAnswerAtAll: true };
        return { kind: "accepted", carrierRef: `ref-${callId}` };
      },
    });
    await started(8, { maxConcurrentCalls: 5 });
    expect(last()).toMatchObject({ type: "CampaignPaused", data: { reason: "carrier_unavailable" } });
    away = false;
    await pass(stores, 10_000 + AT_ONCE_MILLIS);
    expect(types()).toContain("CampaignResumed");
  });
});
