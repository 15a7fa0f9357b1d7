import { describe, expect, it } from "vitest";
import { rowOf } from "../../../domain/campaign/contacts/contact-table.ts";
import { campaignDecider } from "../../../domain/campaign/decider.ts";
import type { CampaignEvent } from "../../../domain/campaign/events.ts";
import { fold } from "../../../domain/shared/decider.ts";
import {
  at,
  callbackScheduled,
  campaignId,
  contact,
  creation,
  dialed,
  failed,
  imported,
  paused,
  running,
  started,
  succeeded,
} from "./example-campaign.ts";

const state = (...events: CampaignEvent[]) => fold(campaignDecider, campaignDecider.initialState(), events);
const moment = { campaignId, at: at(5) };
const skipped = (number: number, outcome: "skipped" | "failed" | "no_retry"): CampaignEvent => ({
  type: "ContactSkipped",
  data: { ...moment, contactId: `ctc_${number}`, reason: "by_request", outcome },
});

describe("an event that nobody expects", () => {
  const fresh = () => state(...running([contact(1), contact(2)]));
  it.each([
    ["a dial of nobody", dialed(9)],
    ["a success of no call", succeeded(9)],
    ["a failure of no call", failed(9, null)],
    ["a retry of no call", failed(9, at(90))],
    ["a skip of nobody", skipped(9, "skipped")],
    ["a skip of nobody's call", skipped(9, "no_retry")],
    [
      "a seal of no import",
      {
        type: "ContactsAdded",
        data: { ...moment, importId: "imp_2", added: 3, rejected: { count: 0, items: [] } },
      },
    ],
    [
      "an abandoned import that never began",
      { type: "ImportAbandoned", data: { ...moment, importId: "imp_2" } },
    ],
  ] as const)("leaves every contact where it was: %s", (_what, event) => {
    const after = campaignDecider.evolve(fresh(), event);
    expect([after.counts, after.contacts, after.live, after.liveNumbers]).toEqual([
      fresh().counts,
      fresh().contacts,
      fresh().live,
      fresh().liveNumbers,
    ]);
  });

  it("does not harm a campaign that is not there", () => {
    const odd: CampaignEvent[] = [
      { type: "CampaignSettingsChanged", data: { ...moment, changes: { name: "x" } } },
      { type: "CampaignCancelled", data: { ...moment, hangUpActiveCalls: true } },
      dialed(1),
      skipped(1, "failed"),
    ];
    expect(state(...odd)).toMatchObject({
      settings: null,
      counts: { pending: 0, dialing: 0 },
      hangUpActiveCalls: true,
    });
  });
});

describe("the folded state", () => {
  it("knows in which event the texts of each contact stand, over chunks and imports", () => {
    const history: CampaignEvent[] = [
      imported([contact(1), contact(2)]),
      imported([contact(3)], "imp_1", 2),
      { type: "CampaignCreated", data: creation(3) },
      started,
      imported([contact(4)], "imp_2"),
      {
        type: "ContactsAdded",
        data: { ...moment, importId: "imp_2", added: 1, rejected: { count: 0, items: [] } },
      },
    ];
    const { contacts } = state(...history);
    expect([...contacts.chunkRevision]).toEqual([0, 0, 1, 4]);
    expect(contacts.ids.map((id) => rowOf(contacts, id))).toEqual([0, 1, 2, 3]);
    expect(rowOf(contacts, "ctc_5")).toBeUndefined();
  });
  it("holds each zone once, and who is to be called in it by due time", () => {
    const zones = [
      contact(1, { timezone: "Asia/Tokyo" }),
      contact(2),
      contact(3, { timezone: "Asia/Tokyo" }),
    ];
    const { contacts } = state(...running(zones), dialed(1), failed(1, at(90)), dialed(2));
    expect(contacts.groups.list.map(({ timezone }) => timezone)).toEqual(["Asia/Tokyo", null]);
    const queues = ({ queues: all }: typeof contacts) => [all[0], all[1], all[2], all[3]];
    expect(queues(contacts)).toEqual([[2, 0], undefined, [], undefined]);
    const again = state(...running(zones), dialed(1), failed(1, at(90)), dialed(1, 4, 2));
    expect(queues(again.contacts)).toEqual([[2], undefined, [1], undefined]);
    const agreed = state(...running(zones), dialed(1), callbackScheduled(1, at(90)));
    expect(queues(agreed.contacts)).toEqual([[2], [0], [1], undefined]);
  });
  it("holds a contact once that is to wait twice, by the later word", () => {
    const twice = [dialed(1), dialed(1, 3, 2), failed(1, at(90)), failed(1, at(300), 3)];
    const people = [contact(1), contact(2)];
    const { contacts } = state(...running(people), ...twice, dialed(2), failed(2, at(200)));
    expect(contacts.queues).toEqual([[1, 0]]);
  });
  it("lets a number go with its call, and counts what was never placed", () => {
    const unplaced: CampaignEvent = { ...failed(1, at(90)) };
    const after = state(...running([contact(1)]), dialed(1), {
      ...unplaced,
      data: { ...unplaced.data, endReason: "not_placed" },
    } as CampaignEvent);
    expect([after.liveNumbers.size, after.live.size, ...after.contacts.notPlaced]).toEqual([0, 0, 1]);
    expect([...after.contacts.dueMillis]).toEqual([Date.parse(at(90))]);
  });
  it("has no reason to be paused once it is over", () => {
    const over: CampaignEvent = { type: "CampaignCancelled", data: { ...moment, hangUpActiveCalls: false } };
    expect(state(...running([contact(1)]), paused("outside_call_window", at(90)), over)).toMatchObject({
      pauseReason: null,
      nextWindowOpensAt: null,
      hangUpActiveCalls: false,
    });
  });
});
