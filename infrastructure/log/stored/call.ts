import { z } from "zod";
import {
  assistantId,
  callId,
  callWindow,
  campaignId,
  connectionId,
  contactId,
  creditUnits,
  endReason,
  erasureId,
  instant,
  jsonObject,
  jsonValue,
  memberId,
  ownerId,
  phoneNumber,
  phoneNumberId,
  pinnedAssistant,
  pinnedSquad,
  toolId,
  voicemailPolicy,
} from "./fields.ts";
import { consent, policyEvidence } from "./policy.ts";
import { versionOne } from "./stored-type.ts";

const moment = z.object({ callId, at: instant });
const heard = moment.extend({
  carrierRef: z.string(),
  sequence: z.int().nullable(),
  dedupeKey: z.string().exactOptional(),
});
/** Facts that the carrier or a session reports. */
const reported = moment.extend({
  carrierRef: z.string().nullable(),
  sequence: z.int().nullable(),
  dedupeKey: z.string().exactOptional(),
  epoch: z.int().exactOptional(),
});
const spoken = moment.extend({ epoch: z.int() });
const answeredBy = z.enum(["human", "machine", "unknown"]);

const requested = moment.extend({
  owner: ownerId,
  from: phoneNumber,
  to: phoneNumber,
  phoneNumberId,
  assistant: pinnedAssistant,
  squad: pinnedSquad.nullable(),
  campaignId: campaignId.nullable(),
  contactId: contactId.nullable(),
  contactName: z.string().nullable(),
  customData: jsonObject.nullable(),
  attempt: z.int(),
  greetingMessage: z.string().nullable(),
  specialInstructions: z.string().nullable(),
  metadata: jsonObject,
  voicemailPolicy,
  voicemailMessage: z.string().nullable(),
  ringTimeoutSeconds: z.number(),
  maxDurationSeconds: z.number(),
  pricePerMinute: creditUnits,
  dialAt: instant,
  dialBy: instant,
  connectionId: connectionId.nullable().exactOptional(),
  pinned: z.string().exactOptional(),
  callback: z
    .object({
      zone: z.string(),
      window: callWindow.nullable(),
      hours: z.object({ zones: z.array(z.string()), window: callWindow }).exactOptional(),
      left: z.int(),
      maxDays: z.int(),
    })
    .exactOptional(),
  callbackOf: callId.exactOptional(),
  evidence: policyEvidence.exactOptional(),
  timezone: z.string().exactOptional(),
  consent: consent.exactOptional(),
});

/** The carrier instance of a dial. */
const carrier = z.object({
  kind: z.enum(["simulated", "asterisk", "twilio", "phone"]),
  connectionId: connectionId.nullable(),
  instance: z.string(),
});

const message = z.object({
  index: z.int(),
  role: z.enum(["assistant", "customer", "tool", "system"]),
  assistantId: assistantId.nullable(),
  content: z.string().nullable(),
  at: instant,
  offsetMs: z.number(),
  kind: z
    .enum(["greeting", "answer", "filler", "prompt", "fallback", "warning", "handoff", "voicemail", "notice"])
    .exactOptional(),
  turn: z.int().exactOptional(),
  language: z.string().exactOptional(),
  timing: z
    .object({ firstTokenMillis: z.number().nullable(), firstAudioMillis: z.number().nullable() })
    .exactOptional(),
  model: z
    .object({
      name: z.string(),
      inputTokens: z.int().nullable(),
      outputTokens: z.int().nullable(),
    })
    .exactOptional(),
  toolId: z.string().exactOptional(),
  toolName: z.string().exactOptional(),
  arguments: jsonValue.exactOptional(),
  result: jsonValue.exactOptional(),
  isError: z.boolean().exactOptional(),
});

const ended = moment.extend({
  endReason,
  endedBy: z.enum(["customer", "assistant", "api", "system"]).nullable(),
  durationSeconds: z.number().nullable(),
  cost: creditUnits,
  recordingStatus: z.enum(["pending", "none"]),
  carrierRef: z.string().nullable(),
  sequence: z.int().nullable(),
  dedupeKey: z.string().exactOptional(),
});

const callError = z.object({ code: z.string(), message: z.string(), carrierCode: z.string().nullable() });

const analysis = moment.extend({ analysisId: z.string() });
const analysisModel = z.object({
  name: z.string(),
  inputTokens: z.int().nullable(),
  outputTokens: z.int().nullable(),
});

/** The stored form of the events of a call, by type. */
export const storedCallTypes = {
  CallRequested: versionOne(requested, {
    sealed: [
      "greetingMessage",
      "specialInstructions",
      "voicemailMessage",
      "consent.source",
      "consent.reference?",
    ],
  }),
  CallDialingBegan: versionOne(moment.extend({ carrier: carrier.exactOptional() })),
  CallRinging: versionOne(heard),
  CallDialOutcomeUnknown: versionOne(moment.extend({ cause: z.string() })),
  CallConnected: versionOne(heard.extend({ answeredBy })),
  CallConversationStarted: versionOne(reported),
  CallMessageAdded: versionOne(reported.extend({ message }), {
    sealed: ["message.content", "message.arguments?", "message.result?"],
  }),
  CallEndRequested: versionOne(
    moment.extend({
      by: z.enum(["api", "system", "assistant"]),
      reason: z.enum([
        "api",
        "campaign_cancelled",
        "max_duration",
        "assistant_ended",
        "silence_timeout",
        "assistant_error",
        "voicemail",
        "voicemail_message_left",
        "transferred",
      ]),
    }),
  ),
  CallCompleted: versionOne(ended),
  CallFailed: versionOne(ended.extend({ error: callError.nullable() })),
  CallRecordingAvailable: versionOne(
    heard.extend({
      status: z.enum(["available", "failed"]),
      recordingRef: z.string().nullable(),
      reason: z.string().exactOptional(),
    }),
  ),
  LateCarrierEventRecorded: versionOne(
    moment.extend({
      carrierEventType: z.string(),
      carrierRef: z.string(),
      sequence: z.int().nullable(),
      dedupeKey: z.string().exactOptional(),
      occurredAt: instant,
    }),
  ),
  CallSessionBegan: versionOne(
    spoken.extend({
      kind: z.enum(["in_process", "relay", "phone", "audio"]),
      gapMillis: z.number().nullable(),
    }),
  ),
  CallSessionEnded: versionOne(
    spoken.extend({
      cause: z.enum(["hung_up", "line_lost", "session_lost", "refused", "finished", "process_lost"]),
    }),
  ),
  CallSpeechCut: versionOne(
    spoken.extend({
      messageIndex: z.int(),
      heard: z.string().nullable(),
      heardMillis: z.number(),
      precision: z.enum(["exact", "estimated"]),
    }),
    { sealed: ["heard"] },
  ),
  CallToolBegan: versionOne(
    spoken.extend({
      turn: z.int(),
      messageIndex: z.int(),
      offsetMs: z.number(),
      toolCallId: z.string(),
      toolId: toolId.nullable(),
      toolName: z.string(),
      assistantId,
      arguments: jsonObject.nullable(),
      repeatable: z.boolean(),
      modelCallId: z.string().exactOptional(),
      modelFields: jsonObject.exactOptional(),
    }),
    { sealed: ["arguments", "modelFields?"] },
  ),
  CallToolEnded: versionOne(
    spoken.extend({
      toolCallId: z.string(),
      outcome: z.enum(["answered", "failed", "timed_out", "refused", "unknown"]),
      shown: z.string().nullable(),
      isError: z.boolean(),
      evidence: z.object({
        status: z.int().nullable(),
        millis: z.number().nullable(),
        bytes: z.int().nullable(),
        sha256: z.string().nullable(),
        host: z.string().nullable(),
        rows: z.int().nullable(),
      }),
    }),
    { sealed: ["shown"] },
  ),
  CallHandedOver: versionOne(
    spoken.extend({
      turn: z.int(),
      messageIndex: z.int(),
      offsetMs: z.number(),
      from: assistantId,
      to: assistantId,
      toAssistantVersion: z.int(),
      toMemberId: memberId,
      toolCallId: z.string(),
      toolName: z.string(),
      variables: jsonObject.nullable(),
      reason: z.string().nullable(),
    }),
    { sealed: ["variables", "reason"] },
  ),
  CallDigitsReceived: versionOne(
    spoken.extend({
      turn: z.int(),
      digits: z.string().nullable(),
      count: z.int(),
      messageIndex: z.int().exactOptional(),
    }),
    { sealed: ["digits"] },
  ),
  CallMachineJudged: versionOne(
    moment.extend({
      answeredBy,
      by: z.enum(["carrier", "sound"]),
      afterMillis: z.number(),
      greetingEnded: z.boolean(),
      policyApplied: voicemailPolicy.nullable(),
      dedupeKey: z.string().exactOptional(),
    }),
  ),
  CallTurnFailed: versionOne(
    spoken.extend({ turn: z.int(), kind: z.string(), saidInstead: z.string().nullable() }),
    { sealed: ["saidInstead"] },
  ),
  CallOptedOut: versionOne(
    moment.extend({
      by: z.enum(["words", "model", "keypad"]),
      messageIndex: z.int().nullable(),
      saidAt: instant,
    }),
  ),
  CallOptOutRevoked: versionOne(moment.extend({ by: z.string() })),
  CallCallbackAgreed: versionOne(
    spoken.extend({
      asked: z.string().nullable(),
      callbackAt: instant.nullable(),
      zone: z.string().nullable(),
      moved: z.boolean(),
      note: z.string().nullable(),
      messageIndex: z.int(),
    }),
    { sealed: ["note"] },
  ),
  CallAnalysisRequested: versionOne(
    analysis.extend({
      assistantId,
      assistantVersion: z.int(),
      schemaHash: z.string(),
      by: z.string(),
    }),
  ),
  CallAnalysed: versionOne(
    analysis.extend({
      fields: z.record(z.string(), z.union([z.boolean(), z.number(), z.string(), z.null()])).nullable(),
      evidence: z.record(z.string(), z.array(z.int())),
      unsupported: z.array(z.string()),
      enums: z.array(z.string()).exactOptional(),
      summary: z.string().nullable(),
      success: z.boolean().nullable(),
      truncated: z.boolean(),
      model: analysisModel,
    }),
    { sealed: ["fields", "summary", "success"] },
  ),
  CallAnalysisFailed: versionOne(
    analysis.extend({
      reason: z.enum(["model_unavailable", "not_valid", "gave_up"]),
      tries: z.int(),
      model: analysisModel.nullable(),
    }),
  ),
  CallContentErased: versionOne(moment.extend({ erasureId })),
};
