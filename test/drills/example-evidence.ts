import { createHmac } from "node:crypto";
import type { DrillEvidence } from "../../simulation/drills/drill-evidence.ts";
import type { HistoryEvent, ReceivedRequest } from "../../simulation/drills/shapes.ts";

const SECRET = "whsec_example";
const CALLEE = "+15005550006";
const at = (second: number) => `2026-09-01T10:00:${String(second).padStart(2, "0")}.000Z`;

/** A consistent campaign of one contact who answered. */
export function exampleEvidence(): DrillEvidence {
  return {
    start: { balance: 100, webhookSecret: SECRET },
    journal: [{ at: at(3), callId: "call_1", to: CALLEE, carrierCallId: "sim_1", duplicate: false }],
    received: [
      delivery("call.started", { eventId: "e1", callId: "call_1", status: "connected" }),
      delivery("call.ended", {
        eventId: "e2",
        callId: "call_1",
        status: "completed",
        endReason: "customer_ended",
      }),
    ],
    events: exampleEvents(),
    calls: [
      {
        id: "call_1",
        status: "completed",
        endReason: "customer_ended",
        to: CALLEE,
        campaignId: "cmp_1",
        contactId: "ctc_1",
        attempt: 1,
        connectedAt: at(4),
        endedAt: at(5),
        cost: 0.5,
      },
    ],
    campaign: {
      id: "cmp_1",
      status: "COMPLETED",
      totalContacts: 1,
      successfulCalls: 1,
      failedCalls: 0,
      pendingCalls: 0,
      activeCalls: 0,
      skippedContacts: 0,
      pauseReason: null,
      maxRetries: 1,
    },
    contacts: [
      {
        id: "ctc_1",
        phoneNumber: CALLEE,
        status: "succeeded",
        attempts: [{ attempt: 1, callId: "call_1", endReason: "customer_ended" }],
      },
    ],
    brokenRules: [],
    balance: 99.5,
    reserved: 0,
    activeCalls: 0,
    ledger: [
      { cause: "reserve", amount: 1, callId: "call_1" },
      { cause: "release", amount: 1, callId: "call_1" },
      { cause: "charge", amount: 0.5, callId: "call_1" },
    ],
  };
}

function exampleEvents(): readonly HistoryEvent[] {
  const campaign = (revision: number, type: string, data: HistoryEvent["data"]) =>
    event("campaign-cmp_1", revision, type, data);
  const call = (revision: number, type: string, data: HistoryEvent["data"] = {}) =>
    event("call-call_1", revision, type, { callId: "call_1", ...data });
  const attempt = { callId: "call_1", contactId: "ctc_1", attempt: 1 };
  return [
    campaign(0, "CampaignCreated", {}),
    campaign(1, "CampaignStarted", {}),
    campaign(2, "ContactDialed", { ...attempt, phoneNumber: CALLEE }),
    call(0, "CallRequested", { campaignId: "cmp_1", to: CALLEE }),
    call(1, "CallDialingBegan"),
    call(2, "CallRinging", { carrierRef: "sim_1" }),
    call(3, "CallCompleted", { endReason: "customer_ended" }),
    campaign(3, "ContactSucceeded", attempt),
    campaign(4, "CampaignCompleted", {}),
  ];
}

function event(stream: string, revision: number, type: string, data: HistoryEvent["data"]): HistoryEvent {
  return { stream, revision, type, data, position: `${stream}@${revision}`, occurredAt: at(2) };
}

/** A request in the receiver's record, signed as the interface says unless another secret is given. */
export function delivery(
  name: string,
  data: Readonly<Record<string, unknown>> & { readonly eventId: string },
  secret = SECRET,
): ReceivedRequest {
  const now = Date.parse(at(6));
  const body = JSON.stringify({ event: name, data });
  const signed = createHmac("sha256", secret).update(`${now}.${body}`).digest("hex");
  return {
    at: now,
    headers: {
      "x-service-event-id": data.eventId,
      "x-service-timestamp": String(now),
      "x-service-signature": `sha256=${signed}`,
    },
    body: Buffer.from(body).toString("base64"),
  };
}
