import { useQuery } from "@tanstack/react-query";
import { allows, type Scope, sessionQuery } from "../api/session.ts";

/** Whether the signed-in key has the scope. What it may not do is not shown. */
export function useAllowed(): (scope: Scope) => boolean {
  const { data } = useQuery(sessionQuery);
  return (scope) => data !== undefined && data !== null && allows(data, scope);
}
