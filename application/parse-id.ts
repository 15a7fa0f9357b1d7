import type { AssistantId, ContactId, MemberId, PhoneNumberId, SquadId } from "../domain/shared/ids.ts";

/** Ids in a body are whatever text the caller sent; what cannot be an id of that kind is an unknown one. */
export function isAssistantId(text: string): text is AssistantId {
  return text.startsWith("ast_");
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
