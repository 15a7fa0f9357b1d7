import type { AssistantRecord } from "../../../../contract/assistant.ts";
import type { PhoneNumberRecord } from "../../../../contract/phone-number.ts";
import type { Draft } from "./draft.ts";

/** Preselects the assistant or the number if there is only one. */
export function withOnlyChoices(
  draft: Draft,
  assistants: readonly AssistantRecord[],
  numbers: readonly PhoneNumberRecord[],
): Draft {
  const assistant = onlyOf(assistants.filter(({ publishedVersion }) => publishedVersion !== null));
  const number = onlyOf(numbers.filter(({ active }) => active));
  return {
    ...draft,
    assistantId: draft.assistantId || assistant,
    phoneNumberId: draft.phoneNumberId || number,
  };
}

/** The first assistant and number where none is chosen yet: whoever judges a file wants some. */
export function withAnyChoices(
  draft: Draft,
  assistants: readonly AssistantRecord[],
  numbers: readonly PhoneNumberRecord[],
): Draft {
  const assistant = assistants.find(({ publishedVersion }) => publishedVersion !== null);
  return {
    ...draft,
    assistantId: draft.assistantId || (assistant?.id ?? ""),
    phoneNumberId: draft.phoneNumberId || (numbers.find(({ active }) => active)?.id ?? ""),
  };
}

function onlyOf(list: readonly { readonly id: string }[]): string {
  const [first, second] = list;
  return first === undefined || second !== undefined ? "" : first.id;
}
