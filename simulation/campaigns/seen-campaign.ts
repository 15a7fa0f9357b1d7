import { isCallEnd } from "../../domain/call/end-reason.ts";
import type { DomainEvent } from "../../domain/events.ts";
import type { CallId, CampaignId } from "../../domain/shared/ids.ts";

/** What the log says of a campaign. */
export type SeenCampaign = {
  readonly see: (event: DomainEvent) => void;
  /** PAUSED for a reason that only a user ends, or not started. */
  readonly waitsForUser: () => boolean;
  /** Calls of before the last pause or cancel, neither begun nor failed: its answer waits for them. */
  readonly owed: () => readonly CallId[];
  /** Over, and no contact is in a call. */
  readonly isOver: () => boolean;
  readonly standing: () => string;
};

const RESUMES_BY_ITSELF = new Set([
  "outside_call_window",
  "insufficient_credits",
  "carrier_unavailable",
  "assistant_unavailable",
  "list_outdated",
  "eligibility_unavailable",
]);

export function seeCampaign(campaignId: CampaignId, onPaused: () => void): SeenCampaign {
  /** Dials of which neither the beginning nor the end is in the log. */
  const unbegun = new Set<CallId>();
  const live = new Set<CallId>();
  let owed: readonly CallId[] = [];
  let status: "none" | "RUNNING" | "PAUSED" | "OVER" = "none";
  let reason = "";

  const seeOwn = (event: DomainEvent): void => {
    switch (event.type) {
      case "CampaignStarted":
      case "CampaignResumed":
        status = "RUNNING";
        reason = "";
        return;
      case "CampaignPaused":
        status = "PAUSED";
        reason = event.data.reason;
        owed = [...unbegun];
        onPaused();
        return;
      case "CampaignCancelled":
        status = "OVER";
        owed = [...unbegun];
        return;
      case "CampaignCompleted":
        status = "OVER";
        return;
      case "ContactDialed":
        unbegun.add(event.data.callId);
        live.add(event.data.callId);
        return;
      case "ContactSucceeded":
      case "ContactCallbackScheduled":
      case "ContactAttemptFailed":
        live.delete(event.data.callId);
        return;
      default:
        return;
    }
  };

  return {
    see: (event) => {
      if (event.type === "CallDialingBegan" || isCallEnd(event)) unbegun.delete(event.data.callId);
      else if ("campaignId" in event.data && event.data.campaignId === campaignId) seeOwn(event);
    },
    waitsForUser: () => status === "none" || (status === "PAUSED" && !RESUMES_BY_ITSELF.has(reason)),
    owed: () => owed.filter((callId) => unbegun.has(callId)),
    isOver: () => status === "OVER" && live.size === 0,
    standing: () => `${campaignId} is ${status} ${reason}, ${live.size} live contacts`,
  };
}
