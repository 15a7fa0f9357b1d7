import { z } from "zod";
import { END_REASONS, isEndReason, RETRIED_END_REASONS } from "../../domain/call/end-reason.ts";
import {
  anyObject,
  customObject,
  e164,
  greeting,
  idOf,
  instant,
  instantInput,
  instructions,
  label,
  phoneNumber,
  reference,
} from "../schema.ts";
import { searchedText } from "../search/search-query.ts";
import { callMessage, conversation } from "./conversation-schemas.ts";

export const CALL_STATUSES = [
  "initiating",
  "ringing",
  "connected",
  "in_progress",
  "completed",
  "failed",
] as const;
export const endReason = z.enum(Object.keys(END_REASONS).filter(isEndReason));
/** End reasons that a campaign may retry. */
export const retriedEndReason = z.enum(RETRIED_END_REASONS);

export const outboundCallBody = z
  .strictObject({
    phoneNumberId: reference,
    assistantId: reference,
    to: phoneNumber,
    squadId: reference.nullish(),
    greetingMessage: greeting.nullish(),
    specialInstructions: instructions.nullish(),
    metadata: customObject().nullish(),
  })
  .meta({
    id: "OutboundCallRequest",
    examples: [
      {
        phoneNumberId: "pn_01k4b2s9h3e8t9v0w1x2y3z4a5",
        assistantId: "ast_01k4b2s9h3e8t9v0w1x2y3z4a5",
        to: "+905321112233",
        greetingMessage: "Hello, this is Ringfold.",
        metadata: { orderId: "4711" },
      },
    ],
  });

export const callStarted = z
  .object({
    callId: idOf("call"),
    status: z
      .enum(CALL_STATUSES)
      .meta({ description: "As it is when the carrier has it, or after 5 seconds" }),
  })
  .meta({
    id: "CallStarted",
    examples: [{ callId: "call_01k4b2s9h3e8t9v0w1x2y3z4a5", status: "ringing" }],
  });

export const outboundStarted = z
  .object({ success: z.literal(true), callId: idOf("call"), status: z.enum(CALL_STATUSES) })
  .meta({
    id: "OutboundCallStarted",
    examples: [{ success: true, callId: "call_01k4b2s9h3e8t9v0w1x2y3z4a5", status: "ringing" }],
  });

const callStatus = z.enum(CALL_STATUSES);
const callFields = {
  id: idOf("call"),
  callId: idOf("call"),
  type: z.literal("outbound"),
  status: callStatus,
  endReason: endReason.nullable(),
  endedBy: z.enum(["customer", "assistant", "api", "system"]).nullable(),
  from: e164,
  to: e164,
  phoneNumberId: idOf("pn"),
  assistantId: idOf("ast"),
  assistantVersion: z.number().meta({ type: "integer", minimum: 1 }),
  squadId: idOf("sqd").nullable(),
  campaignId: idOf("cmp").nullable(),
  contactId: idOf("ctc").nullable(),
  attempt: z.number().meta({ type: "integer", minimum: 1 }),
  greetingMessage: z.string().nullable(),
  specialInstructions: z.string().nullable(),
  metadata: anyObject,
  answeredBy: z.enum(["human", "machine", "unknown"]).nullable(),
  createdAt: instant,
  ringingAt: instant.nullable(),
  connectedAt: instant.nullable(),
  startedAt: instant.nullable(),
  endedAt: instant.nullable(),
  durationSeconds: z.number().nullable(),
  cost: z.number().nullable(),
  recordingUrl: z.string().nullable(),
  recordingStatus: z.enum(["pending", "available", "none", "failed"]),
  error: z.object({ code: z.string(), message: z.string(), carrierCode: z.string().nullable() }).nullable(),
  conversation: conversation.nullable(),
  erased: z.boolean(),
  updatedAt: instant,
};

const EXAMPLE = {
  id: "call_01k4b2s9h3e8t9v0w1x2y3z4a5",
  callId: "call_01k4b2s9h3e8t9v0w1x2y3z4a5",
  type: "outbound",
  status: "completed",
  endReason: "customer_ended",
  endedBy: "customer",
  from: "+905320000000",
  to: "+905321112233",
  phoneNumberId: "pn_01k4b2s9h3e8t9v0w1x2y3z4a5",
  assistantId: "ast_01k4b2s9h3e8t9v0w1x2y3z4a5",
  assistantVersion: 1,
  squadId: null,
  campaignId: null,
  contactId: null,
  attempt: 1,
  greetingMessage: "Hello, this is Ringfold.",
  specialInstructions: null,
  metadata: { orderId: "4711" },
  answeredBy: "human",
  createdAt: "2026-09-01T10:00:00.000Z",
  ringingAt: "2026-09-01T10:00:00.400Z",
  connectedAt: "2026-09-01T10:00:06.000Z",
  startedAt: "2026-09-01T10:00:06.000Z",
  endedAt: "2026-09-01T10:00:48.000Z",
  durationSeconds: 42,
  cost: 0.7,
  recordingUrl: "http://127.0.0.1:3000/api/v1/calls/call_01k4b2s9h3e8t9v0w1x2y3z4a5/recording",
  recordingStatus: "available",
  error: null,
  conversation: {
    turns: 3,
    interruptions: 1,
    handoffs: 0,
    toolCalls: 1,
    firstTokenMs: { p50: 310, p95: 480 },
    firstAudioMs: { p50: 390, p95: 590 },
    model: "scripted",
    inputTokens: null,
    outputTokens: null,
    sessionsLost: 0,
  },
  erased: false,
  updatedAt: "2026-09-01T10:00:49.000Z",
};

export const callListRecord = z.object(callFields).meta({ id: "CallListRecord", examples: [EXAMPLE] });

export const callRecord = z
  .object({
    ...callFields,
    messages: z.array(callMessage),
    statusHistory: z.array(z.object({ status: callStatus, at: instant })),
  })
  .meta({ id: "Call", examples: [{ ...EXAMPLE, messages: [], statusHistory: [] }] });

export const outboundCall = z
  .object({
    callId: idOf("call"),
    status: callStatus,
    endReason: endReason.nullable(),
    to: e164,
    phoneNumberId: idOf("pn"),
    assistantId: idOf("ast"),
    campaignId: idOf("cmp").nullable(),
    createdAt: instant,
    connectedAt: instant.nullable(),
    endedAt: instant.nullable(),
    durationSeconds: z.number().nullable(),
    endRequestedAt: instant.nullable(),
  })
  .meta({ id: "OutboundCall" });

/** docs/api.md §4, DELETE: has endReason once the call has ended. */
export const callEnd = z
  .object({
    callId: idOf("call"),
    status: callStatus,
    endReason: endReason.nullable().optional(),
    endRequested: z.literal(true).optional(),
    alreadyEnded: z.boolean(),
  })
  .meta({
    id: "CallEnd",
    examples: [
      {
        callId: "call_01k4b2s9h3e8t9v0w1x2y3z4a5",
        status: "in_progress",
        endRequested: true,
        alreadyEnded: false,
      },
    ],
  });

export const concurrency = z
  .object({ active: z.number().meta({ type: "integer" }), limit: z.number().meta({ type: "integer" }) })
  .meta({ id: "Concurrency" });

export const callsQuery = z.object({
  status: callStatus.optional(),
  campaignId: label.optional(),
  to: phoneNumber.optional(),
  from: instantInput.optional(),
  until: instantInput.optional(),
  q: searchedText.optional(),
});
