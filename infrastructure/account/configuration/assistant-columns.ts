import type { AssistantDraft } from "../../../application/ports/configuration/assistants.ts";
import type { AssistantColumns } from "./tables.ts";

export function draftOf(row: AssistantColumns): AssistantDraft {
  return {
    name: row.name,
    greetingMessage: row.greeting_message,
    systemPrompt: row.system_prompt,
    model: row.model,
    temperature: row.temperature,
    voice: row.voice,
    language: row.language,
    toolIds: row.tool_ids,
    maxDurationSeconds: row.max_duration_seconds,
    voicemailPolicy: row.voicemail_policy,
    voicemailMessage: row.voicemail_message,
    modelConnectionId: row.model_connection_id,
    fallbackMessage: row.fallback_message,
    silenceTimeoutSeconds: row.silence_timeout_seconds,
    endSilenceMs: row.end_silence_ms,
    interruptible: row.interruptible,
    recording: row.recording,
    recordingNotice: row.recording_notice,
  };
}

export function columnsOf(draft: AssistantDraft): AssistantColumns {
  return {
    name: draft.name,
    greeting_message: draft.greetingMessage,
    system_prompt: draft.systemPrompt,
    model: draft.model,
    temperature: draft.temperature,
    voice: draft.voice,
    language: draft.language,
    tool_ids: [...draft.toolIds],
    max_duration_seconds: draft.maxDurationSeconds,
    voicemail_policy: draft.voicemailPolicy,
    voicemail_message: draft.voicemailMessage,
    model_connection_id: draft.modelConnectionId,
    fallback_message: draft.fallbackMessage,
    silence_timeout_seconds: draft.silenceTimeoutSeconds,
    end_silence_ms: draft.endSilenceMs,
    interruptible: draft.interruptible,
    recording: draft.recording,
    recording_notice: draft.recordingNotice,
  };
}
