import type { AssistantDraft } from "../../../application/ports/configuration/assistants.ts";

/** The column of each field; a new one is asked for here by the compiler. */
const COLUMNS = {
  name: "name",
  greetingMessage: "greeting_message",
  systemPrompt: "system_prompt",
  model: "model",
  temperature: "temperature",
  voice: "voice",
  language: "language",
  toolIds: "tool_ids",
  maxDurationSeconds: "max_duration_seconds",
  voicemailPolicy: "voicemail_policy",
  voicemailMessage: "voicemail_message",
  modelConnectionId: "model_connection_id",
  fallbackMessage: "fallback_message",
  silenceTimeoutSeconds: "silence_timeout_seconds",
  endSilenceMs: "end_silence_ms",
  interruptible: "interruptible",
  recording: "recording",
  recordingNotice: "recording_notice",
  optOut: "opt_out",
  optOutDigit: "opt_out_digit",
  optOutMessage: "opt_out_message",
  outcome: "outcome",
  callback: "callback",
} as const satisfies Readonly<Record<keyof AssistantDraft, string>>;

type Value<T> = T extends readonly (infer Item)[] ? Item[] : T;

/** Fields of an assistant as its tables have them. */
export type AssistantColumns = {
  [Field in keyof AssistantDraft as (typeof COLUMNS)[Field]]: Value<AssistantDraft[Field]>;
};

const PAIRS = Object.entries(COLUMNS);
type Values = Readonly<Record<string, unknown>>;

export function draftOf(row: AssistantColumns): AssistantDraft {
  const values: Values = row;
  return Object.fromEntries(PAIRS.map(([field, column]) => [field, values[column]])) as AssistantDraft;
}

export function columnsOf(draft: AssistantDraft): AssistantColumns {
  const values: Values = draft;
  return Object.fromEntries(PAIRS.map(([field, column]) => [column, values[field]])) as AssistantColumns;
}
