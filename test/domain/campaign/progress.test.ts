import { describe, expect, it } from "vitest";
import { campaignDecider } from "../../../domain/campaign/decider.ts";
import type { CampaignEvent } from "../../../domain/campaign/events.ts";
import { estimatedEnd, isCalling, type WaitingFor, waitingOf } from "../../../domain/campaign/progress.ts";
import type { CampaignSettings } from "../../../domain/campaign/settings.ts";
import { fold } from "../../../domain/shared/decider.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import { at, contact, created, dialed, failed, paused, running, succeeded } from "./example-campaign.ts";

const HOUR = 3_600;
const five = [1, 2, 3, 4, 5].map((number) => contact(number));
const stateOf = (...events: readonly CampaignEvent[]) =>
  fold(campaignDecider, campaignDecider.initialState(), events);
const waiting = (events: readonly CampaignEvent[], refusal: WaitingFor | null = null, now = at(100)) =>
  waitingOf(stateOf(...events), refusal, now, null);

describe("what a campaign waits for", () => {
  it("is nothing while it may go on, or has nobody to call", () => {
    expect(waiting(running(five))).toEqual({ dueNow: 5, waitingFor: null });
    const busy = [...running([contact(1)]), dialed(1)];
    expect(waiting(busy)).toEqual({ dueNow: 0, waitingFor: null });
    expect(waiting([...busy, failed(1, at(500))], "slots")).toEqual({ dueNow: 0, waitingFor: null });
    expect(waiting([...busy, failed(1, at(99))])).toEqual({ dueNow: 1, waitingFor: null });
  });

  it("is not told of a campaign that waits for its user, or is over", () => {
    for (const reason of ["manual", "phone_number_inactive", "assistant_unpublished"] as const)
      expect(waiting([...running(five), paused(reason)], "slots")).toEqual({ dueNow: 0, waitingFor: null });
    expect(waiting(created(five), "slots")).toEqual({ dueNow: 0, waitingFor: null });
  });

  it.each([
    ["outside_call_window", "window"],
    ["insufficient_credits", "credits"],
    ["carrier_unavailable", "carrier"],
    ["assistant_unavailable", "assistant"],
  ] as const)("is what it is paused for: %s", (reason, waitingFor) =>
    expect(waiting([...running(five), paused(reason)], "pace")).toEqual({ dueNow: 5, waitingFor }),
  );

  it("is the window when everybody who is due is behind a closed one", () => {
    const window = { start: 14, end: 18 };
    expect(waiting(running(five, { window }))).toEqual({ dueNow: 0, waitingFor: "window" });
    const abroad = [contact(1), contact(2, { timezone: "Asia/Tokyo" })];
    const two = running(abroad, { window: { start: 9, end: 14 } });
    expect(waiting(two, "slots")).toEqual({ dueNow: 1, waitingFor: "slots" });
    expect(waiting([...two, dialed(1)])).toEqual({ dueNow: 0, waitingFor: "window" });
  });

  it("is judged in the order of the contract: what is refused, and the cap of the campaign itself", () => {
    const full = [...running(five, { maxConcurrentCalls: 1 }), dialed(1)];
    const told = (refusal: WaitingFor | null) => waiting(full, refusal).waitingFor;
    expect([told(null), told("pace"), told("slots")]).toEqual(["slots", "slots", "slots"]);
    expect([told("credits"), told("capacity")]).toEqual(["credits", "capacity"]);
    expect(waiting(running(five), "pace").waitingFor).toBe("pace");
  });
});

describe("the end of a campaign", () => {
  const pace = { contacts: 2, millis: 60_000 };
  const estimate = (
    events: readonly CampaignEvent[],
    told: typeof pace | null = pace,
    now: Instant = at(100),
  ) => {
    const state = stateOf(...events);
    return estimatedEnd(state, waitingOf(state, null, now, null), told, now, null);
  };

  it("is as far away as the contacts that are left take at this pace", () => {
    expect(estimate([...running(five), dialed(1), succeeded(1), dialed(2)])).toBe(at(100 + 4 * 30));
  });

  it("is counted from when somebody can be called", () => {
    const waits = [...running([contact(1)]), dialed(1), failed(1, at(700))];
    expect(estimate(waits)).toBe(at(730));
    const closed = [
      ...running(five, { window: { start: 14, end: 18 } }),
      paused("outside_call_window", at(HOUR)),
    ];
    expect(estimate(closed)).toBe(at(HOUR + 150));
  });

  it("is not before who is called again later, however fast the others are", () => {
    const retried = [...running(five), dialed(1), failed(1, at(700)), dialed(2)];
    expect(estimate(retried)).toBe(at(700 + 30));
    expect(estimate([...retried, failed(2, at(300))])).toBe(at(700 + 30));
    expect(estimate([...running(five), dialed(1), failed(1, at(150))])).toBe(at(100 + 5 * 30));
  });

  it("is in the hours in which the window is open", () => {
    const slow = { contacts: 1, millis: 45 * 60_000 };
    const window: Partial<CampaignSettings> = { window: { start: 13, end: 14 } };
    // 5 contacts of 45 minutes each: an hour a day from 13:00 on, on the fourth day 45 minutes.
    expect(estimate(running(five, window), slow, at(0))).toBe(at(3 * 24 * HOUR + 45 * 60));
    const never = { contacts: 1, millis: 13 * HOUR * 1_000 };
    expect(estimate(running(five, window), never, at(0))).toBeNull();
  });

  it("is not known without a pace, and while nobody knows how long it waits", () => {
    expect(estimate(running(five), null)).toBeNull();
    expect(estimate(running(five), { contacts: 0, millis: 60_000 })).toBeNull();
    for (const reason of ["manual", "insufficient_credits", "carrier_unavailable"] as const)
      expect(estimate([...running(five), paused(reason)])).toBeNull();
    expect(estimate(created(five))).toBeNull();
  });

  it("is measured by times in which somebody is called or could be", () => {
    const calling = (events: readonly CampaignEvent[]) => isCalling(stateOf(...events), waiting(events));
    expect(calling(running(five))).toBe(true);
    expect(calling([...running([contact(1)]), dialed(1)])).toBe(true);
    expect(calling([...running([contact(1)]), dialed(1), failed(1, at(700))])).toBe(false);
    expect(calling([...running(five), paused("insufficient_credits")])).toBe(false);
  });
});
