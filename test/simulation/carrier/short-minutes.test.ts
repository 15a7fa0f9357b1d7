import { describe, expect, it } from "vitest";
import { verifyCampaign } from "../../../application/audit/verify-campaign.ts";
import type { EndReason } from "../../../domain/call/end-reason.ts";
import { campaignDecider } from "../../../domain/campaign/decider.ts";
import { withRecordedIntervals, withShortMinutes } from "../../../simulation/carrier/short-minutes.ts";
import {
  recorded,
  recordOutcome,
  type Story,
  startedStory,
} from "../../application/audit/example-history.ts";
import { changed } from "../../application/audit/plant.ts";
import { at, contact } from "../../domain/campaign/example-campaign.ts";

/** One contact whose attempt failed at second 25; five minutes between two attempts. */
function failedAfter(minuteMillis: number, endReason: EndReason): Story {
  const decider = withShortMinutes(campaignDecider, minuteMillis);
  const story = startedStory([contact(1)], { maxRetries: 1 }, decider).dial(3, [1, 1]);
  if (endReason === "not_placed")
    story.call("call_1", { type: "ExpireDeadline", lookup: "absent", now: at(25) });
  else
    story.call("call_1", {
      type: "RecordRejected",
      endReason: endReason === "busy" ? "busy" : "invalid_number",
      error: null,
      now: at(25),
    });
  return recordOutcome(story, "call_1", 26);
}

describe("short minutes", () => {
  it("bring the retry forward, counted from the end of the attempt, and tell the interval", () =>
    expect(failedAfter(10, "busy").log.at(-1)?.data).toMatchObject({
      retryAt: at(25.05),
      retryIntervalMillis: 50,
    }));
  it("tell no interval where a minute has 60 s, where nobody is called again, and of what the carrier never had", () => {
    const [real, done, unplaced] = [
      failedAfter(60_000, "busy"),
      failedAfter(10, "invalid_number"),
      failedAfter(10, "not_placed"),
    ].map(({ log }) => log.at(-1)?.data);
    expect(real).toMatchObject({ retryAt: at(325) });
    expect(done).toMatchObject({ retryAt: null });
    expect(unplaced).toMatchObject({ retryAt: at(55) });
    for (const data of [real, done, unplaced]) expect(data).not.toHaveProperty("retryIntervalMillis");
  });
  it("are told for a history whose events do not, so that the auditor judges it by them", () => {
    const early = changed("ContactAttemptFailed", 0, () => ({ retryAt: at(25.05) }));
    const untold = recorded(early(failedAfter(60_000, "busy").log));
    const rules = (minuteMillis: number) =>
      verifyCampaign(withRecordedIntervals(untold, minuteMillis), { now: null }).map(({ rule }) => rule);
    expect(rules(60_000)).toEqual(["retry-after-interval"]);
    expect(rules(10)).toEqual([]);
    expect(rules(20)).toEqual(["retry-after-interval"]);
  });
});
