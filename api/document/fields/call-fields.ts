import type { FieldTable } from "./field-table.ts";

export const CALL_FIELDS: readonly FieldTable[] = [
  {
    of: ["OutboundCallRequest"],
    fields: {
      to: "Whom to call: a number in E.164 format",
      assistantId: "Id of a published assistant, who talks",
      squadId: "Id of a squad; `assistantId` is then one of its members and speaks first",
      greetingMessage: "The first words, in place of the assistant's own; at most 4 KiB",
      specialInstructions: "Instructions for this call, besides the assistant's own; at most 32 KiB",
      metadata: "A JSON object of your own, at most 16 KiB; it comes back in the call and its webhooks",
    },
  },
  {
    of: ["OutboundCallStarted", "OutboundCall", "CallEnd", "Call", "CallListRecord"],
    fields: { status: "How far the call has come; `completed` and `failed` are the ends" },
  },
  {
    of: ["Call", "CallListRecord", "OutboundCall"],
    fields: { to: "The number that was called, E.164" },
  },
  {
    of: ["Call", "CallListRecord"],
    fields: {
      id: "Id of the call, the same as callId",
      type: "Always `outbound`",
      from: "The number that was shown, E.164",
      assistantVersion: "Version of the assistant that talked, counted from 1",
      attempt: "Number of this attempt to reach the contact, counted from 1; a single call is attempt 1",
      greetingMessage: "The first words, with every placeholder filled",
      specialInstructions: "The instructions of this call, with every placeholder filled; null: none",
      ringingAt: "When the carrier said that it rings; ISO 8601, UTC; null: not (yet)",
      startedAt: "The same as connectedAt; ISO 8601, UTC",
      cost: "Credits that the call cost, with 4 decimals; null until its end",
      recordingUrl: "Where the recording is; null: there is none (yet)",
      recordingStatus: "Whether there is a recording, or will be",
      error: "What went wrong; null: nothing",
      erased: "true: what was said and written for this call has been erased for good",
      "error.code": "Our name for the problem",
      "error.message": "The problem in words",
      "error.carrierCode": "The carrier's name for it; null: it gave none",
    },
  },
  {
    of: ["Call"],
    fields: {
      messages: "What was said, in order",
      statusHistory: "Every status with its time, in order",
      "statusHistory.status": "A status that the call had",
      "statusHistory.at": "Since when it had it; ISO 8601, UTC",
    },
  },
  {
    of: ["CallMessage"],
    fields: {
      index: "Place in the conversation, counted from 0",
      role: "Who spoke, or which tool was used",
      assistantId: "Id of the assistant that spoke; null: not an assistant",
      content: "The words",
      at: "When it was said; ISO 8601, UTC",
      offsetMs: "Milliseconds from the answer of the call",
      toolId: "Id of the tool that was used",
      toolName: "Name of the tool that was used",
      arguments: "What the tool was given: any JSON",
      result: "What the tool answered: any JSON",
      isError: "true: the tool failed",
    },
  },
  {
    of: ["OutboundCall"],
    fields: { endRequestedAt: "When it was asked to end; ISO 8601, UTC; null: it was not" },
  },
  {
    of: ["CallEnd"],
    fields: {
      endReason: "Why the call ended; only when it has ended already",
      endRequested: "The carrier is asked to hang up; only when the call had not ended",
      alreadyEnded: "true: the call was over before",
    },
  },
  {
    of: ["listActiveCalls"],
    fields: { concurrency: "How much of the plan is in use" },
  },
  {
    of: ["Concurrency"],
    fields: {
      active: "Number of calls that have not ended",
      limit: "Number of calls that the plan allows at once",
    },
  },
];
