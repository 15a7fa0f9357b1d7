import { describe, expect, it } from "vitest";
import {
  ALL_TYPES,
  CALL_TYPES,
  CAMPAIGN_TYPES,
  isCallEvent,
  isCampaignEvent,
  isPolicyEvent,
  isSquadEvent,
  POLICY_TYPES,
  SQUAD_TYPES,
  SUPPRESSION_LIST_TYPES,
} from "../../domain/event-kinds.ts";
import { completed } from "./call/example-call.ts";
import { started } from "./campaign/example-campaign.ts";

const deleted = { type: "SquadDeleted", data: { squadId: "sqd_1", at: "2026-09-01T10:00:00.000Z" } } as const;

describe("the kind of an event", () => {
  it("is that of the one aggregate whose types name it", () => {
    expect([completed, started, deleted].map(isCallEvent)).toEqual([true, false, false]);
    expect([completed, started, deleted].map(isCampaignEvent)).toEqual([false, true, false]);
    expect([completed, started, deleted].map(isSquadEvent)).toEqual([false, false, true]);
    expect([completed, started, deleted].map(isPolicyEvent)).toEqual([false, false, false]);
  });
  it("is told by its type, of which there are 57", () => {
    const sizes = [CALL_TYPES, CAMPAIGN_TYPES, SQUAD_TYPES, POLICY_TYPES].map((types) => types.size);
    expect([...sizes, SUPPRESSION_LIST_TYPES.size, ALL_TYPES.size]).toEqual([28, 17, 9, 1, 2, 57]);
    expect([CALL_TYPES, CAMPAIGN_TYPES, SQUAD_TYPES].map((types) => types.has("CampaignStarted"))).toEqual([
      false,
      true,
      false,
    ]);
  });
});
