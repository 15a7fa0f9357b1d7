import { z } from "zod";
import { END_REASONS, isEndReason, RETRIED_END_REASONS } from "../domain/call/end-reason.ts";
import type { CallStatus } from "../domain/call/events.ts";
import { consentOrNull } from "./consent.ts";
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
  type DeepReadonly,
  e164,
  idOf,
  instant,
  instantInput,
  label,
  list,
  pageFields,
  phoneNumber,
  phoneNumberId,
  searchedText,
  squadIdOrNull,
  updatedAt,
} from "./fields.ts";
import { historyEvent } from "./history.ts";
import { callOutcome, EXAMPLE_LISTED_OUTCOME, EXAMPLE_OUTCOME, listedOutcome } from "./outcome.ts";
import { file, routes } from "./route.ts";

export const CALL_STATUSES = [
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
export const to = e164.describe("The number that was called, E.164");

export const EXAMPLE_CALL_ID = "call_01k4b2s9h3e8t9v0w1x2y3z4a5";

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
  optedOut: z
    .object({
      by: z
        .enum(["words", "model", "keypad"])
        .describe("words: heard in what was said; model: the assistant's model said so; keypad: its key"),
      messageIndex: z
        .number()
        .meta({ type: "integer", minimum: 0 })
        .nullable()
        .describe("Number of the message that said it, counted from 0; null: it has none"),
      at: instant.describe("When it was said; ISO 8601, UTC"),
    })
    .nullable()
    .describe("Who was called asked never to be called again; null: not so"),
  callback: z
    .object({
      at: z.string().describe("Local date and time for which it was asked, for example 2026-12-01T10:00"),
      callbackAt: instant
        .nullable()
        .describe("When the call was agreed for; ISO 8601, UTC; null: no call is made by itself"),
      zone: z.string().nullable().describe("IANA zone of at; null: not known, for a single or test call"),
      note: z
        .string()
        .nullable()
        .describe("What that call is about; null: nothing was said, or it is erased"),
    })
    .nullable()
    .describe("When the customer wants to be called again, by the latest agreement; null: not so"),
  conversation: conversation.nullable().describe("The conversation in figures; null: nobody answered"),
  outcome: listedOutcome.describe("What the call brought home"),
  erased: z.boolean().describe("true: what was said and written for this call has been erased for good"),
  updatedAt,
};

const EXAMPLE = {
  id: EXAMPLE_CALL_ID,
  callId: EXAMPLE_CALL_ID,
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
  recordingUrl: `http://127.0.0.1:3000/api/v1/calls/${EXAMPLE_CALL_ID}/recording`,
  recordingStatus: "available",
  error: null,
  optedOut: null,
  callback: null,
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
  outcome: EXAMPLE_LISTED_OUTCOME,
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
    outcome: callOutcome.describe("What the call brought home"),
    consent: consentOrNull.describe(
      "That the person agreed, as it was given for this single call; null: it was not, or the contact has it",
    ),
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
  .meta({
    id: "Call",
    examples: [{ ...EXAMPLE, outcome: EXAMPLE_OUTCOME, consent: null, messages: [], statusHistory: [] }],
  });
export type CallRecord = DeepReadonly<z.infer<typeof callRecord>>;

const callsQuery = z.object({
  status: z.enum(CALL_STATUSES).optional().describe("Only those with this status"),
  campaignId: label.optional().describe("Only what belongs to this campaign"),
  to: phoneNumber.optional().describe("Only calls to this number, E.164"),
  from: instantInput.optional().describe("Only calls made at this time or later: ISO 8601 with offset"),
  until: instantInput.optional().describe("Only calls made before this time: ISO 8601 with offset"),
  q: searchedText.optional(),
  success: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional()
    .describe("Only those that succeeded, or did not, by their latest analysis"),
  ...pageFields,
});

const errors = ["CALL_NOT_FOUND"] as const;

export const callRoutes = routes({
  listCalls: {
    method: "GET",
    path: "/api/v1/calls",
    tag: "calls",
    summary: "Calls, newest first",
    description:
      "`outcome.<name>=<value>`, at most three of them: only calls whose latest analysis has this value in the " +
      "field `<name>`, as its JSON text without quotes (`true`, `12`, `yes`, `null`). A value that no call has: an empty list.",
    scope: "calls:read",
    query: callsQuery,
    namedQuery: "outcome.",
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
