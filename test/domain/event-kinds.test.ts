import { describe, expect, it } from "vitest";
import {
  CALL_TYPES,
  CAMPAIGN_TYPES,
  isCallEvent,
  isCampaignEvent,
  isSquadEvent,
  SQUAD_TYPES,
} from "../../domain/event-kinds.ts";
import { completed } from "./call/example-call.ts";
import { started } from "./campaign/example-campaign.ts";

const deleted = { type: "SquadDeleted", data: { squadId: "sqd_1", at: "2026-09-01T10:00:00.000Z" } } as const;

describe("the kind of an event", () => {
  it("is that of the one aggregate whose types name it", () => {
    expect([completed, started, deleted].map(isCallEvent)).toEqual([true, false, false]);
    expect([completed, started, deleted].map(isCampaignEvent)).toEqual([false, true, false]);
    expect([completed, started, deleted].map(isSquadEvent)).toEqual([false, false, true]);
  });
  it("is told by its type, of which there are 53", () => {
    expect([CALL_TYPES.size, CAMPAIGN_TYPES.size, SQUAD_TYPES.size]).toEqual([28, 16, 9]);
    expect([CALL_TYPES, CAMPAIGN_TYPES, SQUAD_TYPES].map((types) => types.has("CampaignStarted"))).toEqual([
      false,
      true,
      false,
    ]);
  });
});
