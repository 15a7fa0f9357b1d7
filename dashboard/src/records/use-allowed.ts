import { useQuery } from "@tanstack/react-query";
import { allows, sessionQuery } from "../api/session.ts";

/** Whether the key that is signed in may do what the scope stands for. What it may not do is not shown. */
export function useAllowed(): (scope: string) => boolean {
  const { data } = useQuery(sessionQuery);
  return (scope) => data !== undefined && data !== null && allows(data, scope);
}
