import { useAllowed } from "../../records/use-allowed.ts";
import { ALL, useListOf } from "../../records/use-list.ts";

/** Names of assistants by id; the id itself if the key may not read them. */
export function useNames(): (assistantId: string) => string {
  const enabled = useAllowed()("assistants:*");
  const { rows } = useListOf("/api/v1/assistants", { query: ALL, enabled });
  return (assistantId) => rows.find(({ id }) => id === assistantId)?.name ?? assistantId;
}
