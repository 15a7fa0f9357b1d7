import type { CallbackTerms, VoicemailPolicy } from "../call/events.ts";
import type { AssistantId, CallId, CampaignId, MemberId, ToolId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import type { JsonObject } from "../shared/json.ts";
import type { PhoneNumber } from "../shared/phone-number.ts";
import type { ContextMode, HandoffVariable } from "../squad/events.ts";
import type { OptOutSettings } from "./opt-out.ts";

/** Name, in records, of the model of an installation without one; nobody can take it for a real one. */
export const SCRIPTED_MODEL = "scripted";

/** The line that gives assistants a real language model in place of the scripted one. */
export const REAL_MODEL = "LLM_BASE_URL=https://…/v1 LLM_API_KEY=… LLM_MODEL=… npm start";

/** A tool as pinned. */
export type OfferedTool = {
  readonly toolId: ToolId;
  readonly name: string;
  /** What the model calls it, unique within the speaker. */
  readonly functionName: string;
  readonly type: "API_REQUEST" | "DATABASE_QUERY" | "END_CALL" | "TRANSFER_CALL";
  readonly description: string;
  readonly config: JsonObject;
};

export type HandoffTo = {
  readonly toMemberId: MemberId;
  readonly toolName: string;
  readonly description: string;
  readonly message: string | null;
  readonly contextMode: ContextMode;
  readonly contextMaxMessages: number | null;
  readonly variables: readonly HandoffVariable[];
};

/** The function by which a model agrees when the customer is called again. */
export const CALL_BACK_LATER = "call_back_later";

/** How far ahead calls may be agreed, in days, and how many a contact may agree. */
export type CallbackSettings = { readonly maxDays: number; readonly maxPerContact: number };

/** An assistant that can speak on the call. */
export type Speaker = OptOutSettings & {
  /** null: a call without a squad. */
  readonly memberId: MemberId | null;
  readonly assistantId: AssistantId;
  readonly assistantVersion: number;
  readonly name: string;
  readonly systemPrompt: string;
  readonly model: string | null;
  readonly temperature: number | null;
  /** Its name; null: the usual one. */
  readonly voice: string | null;
  readonly fallbackMessage: string | null;
  readonly silenceTimeoutSeconds: number;
  readonly interruptible: boolean;
  /** Not null: the customer may agree when to be called again. Absent: an older call. */
  readonly callback?: CallbackSettings | null;
  readonly recordingNotice: string | null;
  readonly tools: readonly OfferedTool[];
  readonly handoffs: readonly HandoffTo[];
};

/**
 * What a tool takes: a JSON schema of an object, and a check of arguments (null: valid; else a
 * sentence for the model).
 */
export type ToolArguments = {
  readonly argumentsSchema: (tool: OfferedTool) => JsonObject;
  readonly checkArguments: (tool: OfferedTool, given: JsonObject) => string | null;
};

/** Everything that is fixed when a conversation begins. The first speaker begins. */
export type Script = {
  readonly callId: CallId;
  readonly campaignId: CampaignId | null;
  /** The number of the other party, and ours. */
  readonly to: PhoneNumber;
  readonly from: PhoneNumber;
  readonly contactName: string | null;
  readonly customData: JsonObject | null;
  readonly greetingMessage: string | null;
  readonly specialInstructions: string | null;
  readonly voicemailPolicy: VoicemailPolicy;
  readonly voicemailMessage: string | null;
  readonly maxDurationSeconds: number;
  readonly squadName: string | null;
  /** What may be agreed about calling again; null or absent: a wish is only noted. */
  readonly callback?: CallbackTerms | null;
  /** The call before, in which this one was agreed; null or absent: none. */
  readonly agreedBefore?: { readonly note: string | null } | null;
  readonly speakers: readonly [Speaker, ...Speaker[]];
};

/**
 * Values by name for tools; always treated as data. Values of the engine take precedence over
 * those of the contact.
 */
export function runtimeVariables(script: Script, handoff: JsonObject, now: Instant): JsonObject {
  return {
    ...(script.customData ?? {}),
    ...(script.contactName === null ? {} : { name: script.contactName }),
    ...handoff,
    caller_number: script.to,
    own_number: script.from,
    call_id: script.callId,
    campaign_id: script.campaignId,
    now,
    timezone: "UTC",
  };
}
