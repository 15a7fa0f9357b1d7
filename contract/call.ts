import { z } from "zod";
import { END_REASONS, isEndReason, RETRIED_END_REASONS } from "../domain/call/end-reason.ts";
import type { CallStatus } from "../domain/call/events.ts";
import { callMessage, conversation } from "./conversation.ts";
import {
  answer,
  anyObject,
  assistantId,
  bytes,
  callId,
  campaignIdOrNull,
  contactIdOrNull,
  createdAt,
  customObject,
  type DeepReadonly,
  e164,
  greeting,
  idOf,
  instant,
  instantInput,
  instructions,
  label,
  list,
  pageFields,
  phoneNumber,
  phoneNumberId,
  reference,
  searchedText,
  squadIdOrNull,
  success,
  updatedAt,
} from "./fields.ts";
import { historyEvent } from "./history.ts";
import { file, routes } from "./route.ts";

const CALL_STATUSES = [
  "initiating",
  "ringing",
  "connected",
  "in_progress",
  "completed",
  "failed",
] as const satisfies readonly CallStatus[];

export const callStatus = z
  .enum(CALL_STATUSES)
  .describe("How far the call has come; `completed` and `failed` are the ends");
export const endReason = z.enum(Object.keys(END_REASONS).filter(isEndReason));
/** End reasons that a campaign may retry. */
export const retriedEndReason = z.enum(RETRIED_END_REASONS);

// Fields of every record of a call and of an attempt.
export const endedFor = endReason.nullable().describe("Why the call ended; null until then");
export const connectedAt = instant
  .nullable()
  .describe("When it was answered; ISO 8601, UTC; null: not (yet)");
export const endedAt = instant.nullable().describe("When it ended; ISO 8601, UTC; null until then");
export const durationSeconds = z
  .number()
  .nullable()
  .describe("Seconds from the answer to the end; null before the end, and for calls never answered");
const to = e164.describe("The number that was called, E.164");

const EXAMPLE_ID = "call_01k4b2s9h3e8t9v0w1x2y3z4a5";

export const outboundCallBody = z
  .strictObject({
    phoneNumberId: reference.describe("Id of the phone number from which the call goes out"),
    assistantId: reference.describe("Id of a published assistant, who talks"),
    to: phoneNumber.describe("Whom to call: a number in E.164 format"),
    squadId: reference
      .nullish()
      .describe("Id of a squad; `assistantId` is then one of its members and speaks first"),
    greetingMessage: greeting
      .nullish()
      .describe("The first words, in place of the assistant's own; at most 4 KiB"),
    specialInstructions: instructions
      .nullish()
      .describe("Instructions for this call, besides the assistant's own; at most 32 KiB"),
    metadata: customObject()
      .nullish()
      .describe("A JSON object of your own, at most 16 KiB; it comes back in the call and its webhooks"),
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

/** The call of a campaign's test. */
export const callStarted = z
  .object({
    callId,
    status: z.enum(CALL_STATUSES).describe("As it is when the carrier has it, or after 5 seconds"),
  })
  .meta({ id: "CallStarted", examples: [{ callId: EXAMPLE_ID, status: "ringing" }] });

export const outboundStarted = z.object({ success, callId, status: callStatus }).meta({
  id: "OutboundCallStarted",
  examples: [{ success: true, callId: EXAMPLE_ID, status: "ringing" }],
});

const callFields = {
  id: idOf("call").describe("Id of the call, the same as callId"),
  callId,
  type: z.literal("outbound").describe("Always `outbound`"),
  status: callStatus,
  endReason: endedFor,
  endedBy: z
    .enum(["customer", "assistant", "api", "system"])
    .nullable()
    .describe("Which side ended the call; null until then"),
  from: e164.describe("The number that was shown, E.164"),
  to,
  phoneNumberId,
  assistantId,
  assistantVersion: z
    .number()
    .meta({ type: "integer", minimum: 1 })
    .describe("Version of the assistant that talked, counted from 1"),
  squadId: squadIdOrNull,
  campaignId: campaignIdOrNull,
  contactId: contactIdOrNull,
  attempt: z
    .number()
    .meta({ type: "integer", minimum: 1 })
    .describe("Number of this attempt to reach the contact, counted from 1; a single call is attempt 1"),
  greetingMessage: z.string().nullable().describe("The first words, with every placeholder filled"),
  specialInstructions: z
    .string()
    .nullable()
    .describe("The instructions of this call, with every placeholder filled; null: none"),
  metadata: anyObject.describe("The caller's own JSON object, given back as it came"),
  answeredBy: z
    .enum(["human", "machine", "unknown"])
    .nullable()
    .describe("Who answered, as far as the carrier can tell; null before the answer"),
  createdAt,
  ringingAt: instant
    .nullable()
    .describe("When the carrier said that it rings; ISO 8601, UTC; null: not (yet)"),
  connectedAt,
  startedAt: instant.nullable().describe("The same as connectedAt; ISO 8601, UTC"),
  endedAt,
  durationSeconds,
  cost: z.number().nullable().describe("Credits that the call cost, with 4 decimals; null until its end"),
  recordingUrl: z.string().nullable().describe("Where the recording is; null: there is none (yet)"),
  recordingStatus: z
    .enum(["pending", "available", "none", "failed"])
    .describe("Whether there is a recording, or will be"),
  error: z
    .object({
      code: z.string().describe("Our name for the problem"),
      message: z.string().describe("The problem in words"),
      carrierCode: z.string().nullable().describe("The carrier's name for it; null: it gave none"),
    })
    .nullable()
    .describe("What went wrong; null: nothing"),
  conversation: conversation.nullable().describe("The conversation in figures; null: nobody answered"),
  erased: z.boolean().describe("true: what was said and written for this call has been erased for good"),
  updatedAt,
};

const EXAMPLE = {
  id: EXAMPLE_ID,
  callId: EXAMPLE_ID,
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
  recordingUrl: `http://127.0.0.1:3000/api/v1/calls/${EXAMPLE_ID}/recording`,
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

/** A row of GET /calls. */
export const callListRecord = z.object(callFields).meta({ id: "CallListRecord", examples: [EXAMPLE] });
export type CallListRecord = DeepReadonly<z.infer<typeof callListRecord>>;

/** Amounts are credits; `recordingUrl` is under PUBLIC_URL. */
export const callRecord = z
  .object({
    ...callFields,
    messages: z.array(callMessage).describe("What was said, in order"),
    statusHistory: z
      .array(
        z.object({
          status: z.enum(CALL_STATUSES).describe("A status that the call had"),
          at: instant.describe("Since when it had it; ISO 8601, UTC"),
        }),
      )
      .describe("Every status with its time, in order"),
  })
  .meta({ id: "Call", examples: [{ ...EXAMPLE, messages: [], statusHistory: [] }] });
export type CallRecord = DeepReadonly<z.infer<typeof callRecord>>;

const outboundCall = z
  .object({
    callId,
    status: callStatus,
    endReason: endedFor,
    to,
    phoneNumberId,
    assistantId,
    campaignId: campaignIdOrNull,
    createdAt,
    connectedAt,
    endedAt,
    durationSeconds,
    endRequestedAt: instant.nullable().describe("When it was asked to end; ISO 8601, UTC; null: it was not"),
  })
  .meta({ id: "OutboundCall" });
export type OutboundCallRecord = DeepReadonly<z.infer<typeof outboundCall>>;

const callEnd = z
  .object({
    callId,
    status: callStatus,
    endReason: endReason.nullable().optional().describe("Why the call ended; only when it has ended already"),
    endRequested: z
      .literal(true)
      .optional()
      .describe("The carrier is asked to hang up; only when the call had not ended"),
    alreadyEnded: z.boolean().describe("true: the call was over before"),
  })
  .meta({
    id: "CallEnd",
    examples: [{ callId: EXAMPLE_ID, status: "in_progress", endRequested: true, alreadyEnded: false }],
  });

const concurrency = z
  .object({
    active: z.number().meta({ type: "integer" }).describe("Number of calls that have not ended"),
    limit: z.number().meta({ type: "integer" }).describe("Number of calls that the plan allows at once"),
  })
  .meta({ id: "Concurrency" });

const callsQuery = z.object({
  status: z.enum(CALL_STATUSES).optional().describe("Only those with this status"),
  campaignId: label.optional().describe("Only what belongs to this campaign"),
  to: phoneNumber.optional().describe("Only calls to this number, E.164"),
  from: instantInput.optional().describe("Only calls made at this time or later: ISO 8601 with offset"),
  until: instantInput.optional().describe("Only calls made before this time: ISO 8601 with offset"),
  q: searchedText.optional(),
  ...pageFields,
});

/** Refusals of every single call. */
export const CALL_REFUSALS = [
  "INSUFFICIENT_CREDITS",
  "RECIPIENT_SUPPRESSED",
  "CONCURRENCY_LIMIT_REACHED",
  "CARRIER_UNAVAILABLE",
  "ASSISTANT_UNAVAILABLE",
] as const;

const errors = ["CALL_NOT_FOUND"] as const;

export const callRoutes = routes({
  startOutboundCall: {
    method: "POST",
    path: "/api/v1/calls/outbound",
    tag: "calls",
    summary: "Starts an outbound call with an assistant",
    scope: "calls:write",
    body: outboundCallBody,
    answers: { 200: outboundStarted },
    idempotent: true,
    plainErrors: true,
    errors: ["SQUAD_NOT_FOUND@400", "ASSISTANT_NOT_PUBLISHED", ...CALL_REFUSALS],
  },
  listActiveCalls: {
    method: "GET",
    path: "/api/v1/calls/outbound/active",
    tag: "calls",
    summary: "Calls that have not ended",
    scope: "calls:read",
    query: z.object(pageFields),
    answers: {
      200: list(outboundCall).extend({
        concurrency: concurrency.describe("How much of the plan is in use"),
      }),
    },
  },
  getOutboundCall: {
    method: "GET",
    path: "/api/v1/calls/outbound/:callId",
    tag: "calls",
    summary: "Status of an outbound call",
    scope: "calls:read",
    answers: { 200: answer(outboundCall) },
    errors,
  },
  endCall: {
    method: "DELETE",
    path: "/api/v1/calls/outbound/:callId",
    tag: "calls",
    summary: "Hangs up; may be repeated",
    scope: "calls:write",
    answers: { 200: answer(callEnd) },
    errors,
  },
  listCalls: {
    method: "GET",
    path: "/api/v1/calls",
    tag: "calls",
    summary: "Calls, newest first",
    scope: "calls:read",
    query: callsQuery,
    answers: { 200: list(callListRecord) },
  },
  getCall: {
    method: "GET",
    path: "/api/v1/calls/:callId",
    tag: "calls",
    summary: "Call details and messages",
    scope: "calls:read",
    answers: { 200: answer(callRecord) },
    errors,
  },
  listCallEvents: {
    method: "GET",
    path: "/api/v1/calls/:callId/events",
    tag: "calls",
    summary: "History of a call, oldest first",
    scope: "calls:read",
    query: z.object(pageFields),
    answers: { 200: list(historyEvent) },
    errors,
  },
  getRecording: {
    method: "GET",
    path: "/api/v1/calls/:callId/recording",
    tag: "calls",
    summary: "Recording of a call, as its carrier made it; takes Range and If-None-Match",
    scope: "calls:read",
    answers: {
      200: file("audio/wav", "The recording", bytes),
      206: file("audio/wav", "The part that Range asked for", bytes),
      304: z.null().describe("The recording that If-None-Match names"),
    },
    errors: [
      "CALL_NOT_FOUND",
      "NOT_FOUND",
      "RANGE_NOT_SATISFIABLE",
      "RECORDING_PENDING",
      "RECORDING_UNAVAILABLE",
    ],
  },
});
