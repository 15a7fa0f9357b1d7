import { z } from "zod";
import {
  assistantId,
  callId,
  campaignId,
  contactId,
  creditUnits,
  endReason,
  instant,
  jsonObject,
  jsonValue,
  ownerId,
  phoneNumber,
  phoneNumberId,
  pinnedAssistant,
  pinnedSquad,
  voicemailPolicy,
} from "./fields.ts";
import { versionOne } from "./stored-type.ts";

const moment = z.object({ callId, at: instant });
const heard = moment.extend({ carrierRef: z.string(), sequence: z.int().nullable() });

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
  greetingMessage: z.string(),
  specialInstructions: z.string().nullable(),
  metadata: jsonObject,
  voicemailPolicy,
  voicemailMessage: z.string().nullable(),
  ringTimeoutSeconds: z.number(),
  maxDurationSeconds: z.number(),
  pricePerMinute: creditUnits,
  dialAt: instant,
  dialBy: instant,
});

const message = z.object({
  index: z.int(),
  role: z.enum(["assistant", "customer", "tool", "system"]),
  assistantId: assistantId.nullable(),
  content: z.string(),
  at: instant,
  offsetMs: z.number(),
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
});

const callError = z.object({ code: z.string(), message: z.string(), carrierCode: z.string().nullable() });

/** The stored form of the events of a call, by type. */
export const storedCallTypes = {
  CallRequested: versionOne(requested),
  CallDialingBegan: versionOne(moment),
  CallRinging: versionOne(heard),
  CallDialOutcomeUnknown: versionOne(moment.extend({ cause: z.string() })),
  CallConnected: versionOne(heard.extend({ answeredBy: z.enum(["human", "machine", "unknown"]) })),
  CallConversationStarted: versionOne(heard),
  CallMessageAdded: versionOne(heard.extend({ message })),
  CallEndRequested: versionOne(
    moment.extend({
      by: z.enum(["api", "system"]),
      reason: z.enum(["api", "campaign_cancelled", "max_duration"]),
    }),
  ),
  CallCompleted: versionOne(ended),
  CallFailed: versionOne(ended.extend({ error: callError.nullable() })),
  CallRecordingAvailable: versionOne(
    heard.extend({ status: z.enum(["available", "failed"]), recordingRef: z.string().nullable() }),
  ),
  LateCarrierEventRecorded: versionOne(
    moment.extend({
      carrierEventType: z.string(),
      carrierRef: z.string(),
      sequence: z.int(),
      occurredAt: instant,
    }),
  ),
};
