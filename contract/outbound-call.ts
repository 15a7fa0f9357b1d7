import { z } from "zod";
import {
  CALL_STATUSES,
  callStatus,
  connectedAt,
  durationSeconds,
  EXAMPLE_CALL_ID,
  endedAt,
  endedFor,
  endReason,
  to,
} from "./call.ts";
import { CONSENT, consentInput } from "./consent.ts";
import {
  answer,
  assistantId,
  callId,
  campaignIdOrNull,
  createdAt,
  customObject,
  type DeepReadonly,
  greeting,
  instant,
  instructions,
  list,
  pageFields,
  phoneNumber,
  phoneNumberId,
  reference,
  success,
  timezone,
} from "./fields.ts";
import { routes } from "./route.ts";

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
    timezone: timezone
      .nullish()
      .describe(
        "IANA time zone of the person, by which the policy is judged; without it in every zone of the number's country",
      ),
    consent: consentInput.nullish().describe(CONSENT),
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
  .meta({ id: "CallStarted", examples: [{ callId: EXAMPLE_CALL_ID, status: "ringing" }] });

export const outboundStarted = z.object({ success, callId, status: callStatus }).meta({
  id: "OutboundCallStarted",
  examples: [{ success: true, callId: EXAMPLE_CALL_ID, status: "ringing" }],
});

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
    examples: [{ callId: EXAMPLE_CALL_ID, status: "in_progress", endRequested: true, alreadyEnded: false }],
  });

const concurrency = z
  .object({
    active: z.number().meta({ type: "integer" }).describe("Number of calls that have not ended"),
    limit: z.number().meta({ type: "integer" }).describe("Number of calls that the plan allows at once"),
  })
  .meta({ id: "Concurrency" });

/** Refusals of every single call. */
export const CALL_REFUSALS = [
  "INSUFFICIENT_CREDITS",
  "RECIPIENT_SUPPRESSED",
  "POLICY_REFUSED",
  "CONCURRENCY_LIMIT_REACHED",
  "CARRIER_UNAVAILABLE",
  "ASSISTANT_UNAVAILABLE",
  "ELIGIBILITY_UNAVAILABLE",
] as const;

const errors = ["CALL_NOT_FOUND"] as const;

export const outboundCallRoutes = routes({
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
});
