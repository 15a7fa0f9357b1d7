import { describe, expect, it } from "vitest";
import { type CampaignCommand, campaignDecider } from "../../../domain/campaign/decider.ts";
import { type ContactHold, contactsToAsk, dueContacts } from "../../../domain/campaign/due-contacts.ts";
import type { CampaignEvent } from "../../../domain/campaign/events.ts";
import type { CampaignState } from "../../../domain/campaign/state.ts";
import { fold } from "../../../domain/shared/decider.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import { at, attemptEnded, contact, FINE, granted, paused, running } from "./example-campaign.ts";

const URL = "https://crm.example.com/may-call";
const ASKS = { eligibility: { url: URL, timeoutMs: 2_000 } };
const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

const stateOf = (events: readonly CampaignEvent[]) =>
  fold(campaignDecider, campaignDecider.initialState(), events);
function handle(state: CampaignState, command: CampaignCommand): readonly CampaignEvent[] {
  const events = campaignDecider.decide(command, state);
  fold(campaignDecider, state, events);
  return events;
}

function held(rule: "eligibility" | "eligibility_unavailable", until: Instant): ContactHold {
  const value = rule === "eligibility" ? null : "timeout";
  return { contactId: "ctc_1", rule, until, heldBy: null, policyVersion: 0, value, limit: null };
}
const told = (state: CampaignState, hold: ContactHold, now: Instant) =>
  handle(state, { type: "DialDueContacts", granted: [], suppressed: [], held: [hold], now }).map(
    ({ type }) => type,
  );

describe("a contact of whom the address did not say that it may be called", () => {
  it("is held at most once an hour by what is shorter, and whenever it is longer", () => {
    const state = stateOf(running([contact(1)]));
    expect(told(state, held("eligibility_unavailable", at(30)), at(0))).toEqual(["ContactHeld"]);
    expect(told(state, held("eligibility_unavailable", at(90)), at(30))).toEqual([]);
    expect(told(state, held("eligibility", at(20 * MINUTE)), at(10 * MINUTE))).toEqual([]);
    expect(told(state, held("eligibility", at(2 * HOUR)), at(20 * MINUTE))).toEqual(["ContactHeld"]);
    expect(told(state, held("eligibility_unavailable", at(2 * HOUR + 30)), at(2 * HOUR))).toEqual([
      "ContactHeld",
    ]);
    expect(told(state, held("eligibility_unavailable", at(3 * HOUR)), at(3 * HOUR - 30))).toEqual([]);
  });

  it("is skipped when it is refused for 30 days in all, counted from its last attempt on", () => {
    const state = stateOf(running([contact(1)]));
    expect(told(state, held("eligibility", at(29 * DAY)), at(0))).toEqual(["ContactHeld"]);
    expect(told(state, held("eligibility", at(30 * DAY)), at(29 * DAY))).toEqual(["ContactHeld"]);
    handle(state, { type: "DialDueContacts", granted: [granted(1)], suppressed: [], now: at(30 * DAY) });
    handle(state, attemptEnded(1, "busy", { endedAt: at(30 * DAY), now: at(30 * DAY) }));
    const again = 31 * DAY;
    expect(told(state, held("eligibility", at(again + 20 * DAY)), at(again))).toEqual(["ContactHeld"]);
    const last = { ...held("eligibility", at(again + 30 * DAY + 1)), refusal: "moved away" };
    const skip = { type: "DialDueContacts", granted: [], suppressed: [], held: [last] } as const;
    expect(handle(state, { ...skip, now: at(again + 20 * DAY) })).toMatchObject([
      {
        type: "ContactSkipped",
        data: { reason: "not_eligible", outcome: "failed", refusal: "moved away" },
      },
    ]);
  });

  it("is never skipped because nobody answers", () => {
    const state = stateOf(running([contact(1)]));
    expect(told(state, held("eligibility", at(DAY)), at(0))).toEqual(["ContactHeld"]);
    expect(told(state, held("eligibility_unavailable", at(60 * DAY)), at(59 * DAY))).toEqual(["ContactHeld"]);
  });

  it("is skipped at once when it may never be called, with the reason, and dialled by no grant", () => {
    const state = stateOf(running([contact(1), contact(2)]));
    const events = handle(state, {
      ...({
        type: "DialDueContacts",
        granted: [granted(1), granted(2)],
        suppressed: [],
        now: at(3),
      } as const),
      notEligible: [{ contactId: "ctc_1", refusal: null }],
    });
    expect(events).toMatchObject([
      { type: "ContactSkipped", data: { contactId: "ctc_1", reason: "not_eligible", outcome: "skipped" } },
      { type: "ContactDialed", data: { contactId: "ctc_2" } },
    ]);
    expect(events[0]?.data).not.toHaveProperty("refusal");
  });
});

describe("a campaign whose address is silent", () => {
  const judge = (state: CampaignState, silentUrls: readonly string[], now = at(2)) =>
    handle(state, { type: "JudgeConditions", world: { ...FINE, silentUrls }, now });

  it("pauses for it last of all, and resumes by itself", () => {
    const state = stateOf(running([contact(1)], ASKS));
    expect(judge(state, ["https://crm.example.com/other"])).toEqual([]);
    expect(judge(state, [URL])).toMatchObject([
      { type: "CampaignPaused", data: { reason: "eligibility_unavailable" } },
    ]);
    expect(judge(state, [URL])).toEqual([]);
    expect(judge(state, [])).toMatchObject([{ type: "CampaignResumed", data: { by: "system" } }]);
    const world = { ...FINE, silentUrls: [URL], assistantUnavailable: true };
    expect(handle(state, { type: "JudgeConditions", world, now: at(3) })).toMatchObject([
      { type: "CampaignPaused", data: { reason: "assistant_unavailable" } },
    ]);
  });

  it("does not pause where nobody is asked, or another address is", () => {
    const url = "https://elsewhere.example.com/";
    const rules = { callableHours: null, attemptsPerNumber: null, oneCallAtATime: true } as const;
    const policy = {
      version: 1,
      policy: { ...rules, exceptSingleCalls: false, eligibility: { url, timeoutMs: 500 } },
    };
    const reasonOf = (own: typeof ASKS | object, silentUrls: readonly string[]) => {
      const state = stateOf(running([contact(1)], own));
      const world = { ...FINE, policy, silentUrls };
      return handle(state, { type: "JudgeConditions", world, now: at(2) }).length;
    };
    // The campaign's own goes in place of the policy's.
    expect([reasonOf({}, [url]), reasonOf(ASKS, [url]), reasonOf(ASKS, [URL])]).toEqual([1, 0, 1]);
  });

  it("asks about those who would be called next, also while it is paused, also if they are held because of it", () => {
    const state = stateOf(running([contact(1), contact(2), contact(3)], ASKS));
    told(state, held("eligibility_unavailable", at(HOUR)), at(1));
    const later = { ...held("eligibility", at(HOUR)), contactId: "ctc_2" } as const;
    told(state, later, at(1));
    fold(campaignDecider, state, [paused("eligibility_unavailable")]);
    expect(dueContacts(state, at(5), 10, null)).toEqual([]);
    expect(
      contactsToAsk(state, at(5), 10, null).map(({ contactId, attempt }) => [contactId, attempt]),
    ).toEqual([
      ["ctc_1", 1],
      ["ctc_3", 1],
    ]);
  });
});
