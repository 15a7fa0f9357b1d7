import { describe, expect, it } from "vitest";
import type { CallOfTheCarrier } from "../../../domain/call/carrier-identity.ts";
import { campaignDecider } from "../../../domain/campaign/decider.ts";
import type { CampaignEvent } from "../../../domain/campaign/events.ts";
import { at, attemptEnded, campaignId, contact, creation, granted, running } from "./example-campaign.ts";

const three = [contact(1), contact(2), contact(3)];
const { from } = creation(0);

function foldState(history: readonly CampaignEvent[]) {
  return history.reduce(campaignDecider.evolve, campaignDecider.initialState());
}

function called(number: number, changes: Partial<CallOfTheCarrier> = {}): CallOfTheCarrier {
  return { callId: `call_${90 + number}`, from, to: contact(number).phoneNumber, at: at(20), ...changes };
}

function endedBy(history: readonly CampaignEvent[], calls: readonly CallOfTheCarrier[], limit = 10) {
  const state = foldState(history);
  const events = campaignDecider.decide({ type: "EndCalledSince", calls, limit, now: at(60) }, state);
  return { state, events };
}

describe("contacts that the carrier had while the log did not know", () => {
  it("end as outcome_unknown with the call that proves it, the last of theirs; the others are still to be called", () => {
    const calls = [called(2), called(2, { callId: "call_99", at: at(30) }), called(2, { at: at(10) })];
    const { events } = endedBy(running(three), calls);
    const unknownCall = { callId: "call_99", calledAt: at(30), contactWas: "pending" };
    const data = { campaignId, at: at(60), contactId: "ctc_2", reason: "outcome_unknown", outcome: "failed" };
    expect(events).toEqual([{ type: "ContactSkipped", data: { ...data, unknownCall } }]);
    const { counts } = foldState([...running(three), ...events]);
    expect(counts).toMatchObject({ pending: 2, failed: 1, skipped: 0 });
  });

  it("are those that were called from the campaign's own number", () => {
    expect(endedBy(running(three), [called(1, { from: "+15005550109" })]).events).toEqual([]);
  });

  it("keep their live call, and are not called again after it", () => {
    const [dial] = campaignDecider.decide(
      { type: "DialDueContacts", granted: [granted(1)], suppressed: [], now: at(3) },
      foldState(running(three)),
    );
    const history = [...running(three), ...(dial === undefined ? [] : [dial])];
    const { events } = endedBy(history, [called(1)]);
    expect(events).toMatchObject([{ data: { outcome: "no_retry", unknownCall: { contactWas: "dialing" } } }]);
    const outcome = campaignDecider.decide(
      attemptEnded(1, "busy", { endedAt: at(70), now: at(70) }),
      foldState([...history, ...events]),
    );
    expect(outcome).toMatchObject([{ type: "ContactAttemptFailed", data: { retryAt: null } }]);
  });

  it("are ended once, so many at a time, until nobody is left", () => {
    const calls = [called(1), called(2), called(3)];
    const first = endedBy(running(three), calls, 2).events;
    expect(first).toHaveLength(2);
    const second = endedBy([...running(three), ...first], calls, 2).events;
    expect(second).toMatchObject([{ data: { contactId: "ctc_3" } }]);
    expect(endedBy([...running(three), ...first, ...second], calls, 2).events).toEqual([]);
  });

  it("are left alone when the campaign is over", () => {
    const over: CampaignEvent = { type: "CampaignCompleted", data: { campaignId, at: at(5) } };
    expect(endedBy([...running(three), over], [called(1)]).events).toEqual([]);
  });
});
