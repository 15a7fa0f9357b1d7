import { describe, expect, it } from "vitest";
import { campaignDecider } from "../../../domain/campaign/decider.ts";
import type { CampaignEvent } from "../../../domain/campaign/events.ts";
import { nextAction } from "../../../domain/campaign/next-action.ts";
import { fold } from "../../../domain/shared/decider.ts";
import {
  at,
  campaignId,
  contact,
  created,
  dialed,
  failed,
  paused,
  running,
  succeeded,
} from "./example-campaign.ts";

const two = [contact(1), contact(2)];
const one = [contact(1)];
const next = (...events: readonly CampaignEvent[]) =>
  nextAction(fold(campaignDecider, campaignDecider.initialState(), events), null);
const kind = (...events: readonly CampaignEvent[]) => next(...events).kind;
const cancelled = (hangUpActiveCalls: boolean): CampaignEvent => ({
  type: "CampaignCancelled",
  data: { campaignId, at: at(3), hangUpActiveCalls },
});
const completed: CampaignEvent = { type: "CampaignCompleted", data: { campaignId, at: at(70) } };

describe("what whoever runs a campaign does next", () => {
  it("nobody runs one that is not there, is over, or waits for its user", () => {
    expect(kind()).toBe("let_go");
    expect(kind(...created(two))).toBe("let_go");
    expect(kind(...running(one), dialed(1), succeeded(1), completed)).toBe("let_go");
    expect(kind(...running(two), paused("manual"))).toBe("let_go");
    expect(kind(...running(two), paused("assistant_unpublished"))).toBe("let_go");
    expect(kind(...running(two), cancelled(true))).toBe("let_go");
  });

  it("one with a time of its own is started then", () => {
    const startAt = at(3_600);
    expect(next(...created(two, { startAt }))).toMatchObject({ kind: "start", startsAt: startAt });
  });

  it("a running one dials as long as somebody is left to call, also while calls go on", () => {
    expect(kind(...running(two))).toBe("dial");
    expect(kind(...running(two), dialed(1))).toBe("dial");
    expect(kind(...running(one), dialed(1), failed(1, at(500)))).toBe("dial");
  });

  it("live calls are waited for when nobody else may be called", () => {
    expect(kind(...running(one), dialed(1))).toBe("wait");
    expect(kind(...running(two), dialed(1), paused("manual"))).toBe("wait");
    expect(kind(...running(one), dialed(1), paused("insufficient_credits"))).toBe("wait");
  });

  it("with nobody left it is completed, also when it is paused", () => {
    const called = [...running(one), dialed(1), failed(1, null)];
    expect(kind(...called)).toBe("complete");
    expect(kind(...running(one), dialed(1), paused("manual"), succeeded(1))).toBe("complete");
    expect(kind(...running(one), dialed(1), paused("carrier_unavailable"), succeeded(1))).toBe("complete");
  });

  it("what ends by itself is looked at again, a window when it opens", () => {
    const opensAt = at(7_200);
    expect(next(...running(two), paused("outside_call_window", opensAt))).toMatchObject({
      kind: "resume",
      opensAt,
    });
    const broke = next(...running(two), paused("insufficient_credits", opensAt));
    expect(broke).toMatchObject({ kind: "resume", opensAt: null });
  });

  it("a cancelled one hangs up only when it was asked to", () => {
    expect(next(...running(two), dialed(1), cancelled(true))).toEqual({ kind: "hang_up", calls: ["call_1"] });
    expect(kind(...running(two), dialed(1), cancelled(false))).toBe("wait");
  });
});
