import type {
  AssistantId,
  CallId,
  ContactId,
  MemberId,
  PhoneNumberId,
  SquadId,
} from "../domain/shared/ids.ts";

/**
 * An id in a body is any text that the caller sent. Text that cannot be an id of that kind counts as unknown.
 */
export function isAssistantId(text: string): text is AssistantId {
  return text.startsWith("ast_");
}

export function isCallId(text: string): text is CallId {
  return text.startsWith("call_");
}

export function isPhoneNumberId(text: string): text is PhoneNumberId {
  return text.startsWith("pn_");
}

export function isSquadId(text: string): text is SquadId {
  return text.startsWith("sqd_");
}

export function isMemberId(text: string): text is MemberId {
  return text.startsWith("mbr_");
}

export function isContactId(text: string): text is ContactId {
  return text.startsWith("ctc_");
}
