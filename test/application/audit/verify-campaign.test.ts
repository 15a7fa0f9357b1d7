import { describe, expect, it } from "vitest";
import { verifyCampaign } from "../../../application/audit/verify-campaign.ts";
import { recorded, wholeStory } from "./example-history.ts";

const OPTIONS = { now: null, retryMinuteMillis: 60_000 };

describe("a campaign whose rules were kept", () => {
  it("has nothing to report", () => {
    const { log } = wholeStory();
    expect(log.map(({ type }) => type)).toMatchInlineSnapshot(`
      [
        "ContactsImported",
        "CampaignCreated",
        "CampaignStarted",
        "ContactDialed",
        "ContactDialed",
        "CallRequested",
        "CallDialingBegan",
        "CallRequested",
        "CallDialingBegan",
        "CallConnected",
        "CallCompleted",
        "ContactSucceeded",
        "CallFailed",
        "ContactAttemptFailed",
        "ContactDialed",
        "CallRequested",
        "CallDialingBegan",
        "CallFailed",
        "ContactAttemptFailed",
        "ContactDialed",
        "CallRequested",
        "CallDialingBegan",
        "CallConnected",
        "CallCompleted",
        "ContactSucceeded",
        "CampaignCompleted",
      ]
    `);
    expect(verifyCampaign(recorded(log), OPTIONS)).toEqual([]);
  });
});
