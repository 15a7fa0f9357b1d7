import { useAllowed } from "../../records/use-allowed.ts";
import { ALL, useList } from "../../records/use-list.ts";

/** Names of assistants by id; the id itself if the key may not read them. */
export function useNames(): (assistantId: string) => string {
  const enabled = useAllowed()("assistants:*");
  const { rows } = useList("/api/v1/assistants", { query: ALL, enabled });
  return (assistantId) => rows.find(({ id }) => id === assistantId)?.name ?? assistantId;
}
