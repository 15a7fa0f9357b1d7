import type { AssistantRecord } from "../../../../contract/assistant.ts";
import { useAllowed } from "../../records/use-allowed.ts";
import { ALL, useList } from "../../records/use-list.ts";

export type Named = Pick<AssistantRecord, "id" | "name">;

/** The owner's assistants; none if the key may not read them. */
export function useAssistants(): readonly Named[] {
  const enabled = useAllowed()("assistants:*");
  return useList("/api/v1/assistants", { query: ALL, enabled }).rows;
}

/** An assistant's name, or its id. */
export const nameIn = (assistants: readonly Named[], assistantId: string): string =>
  assistants.find(({ id }) => id === assistantId)?.name ?? assistantId;
