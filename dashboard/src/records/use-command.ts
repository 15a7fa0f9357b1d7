import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

/**
 * Runs a change: one at a time, keeps its error for display, and reloads the queries that begin with `paths`.
 */
export function useCommand(...paths: readonly string[]) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const run = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    setBusy(true);
    setFault(null);
    try {
      const done = await work();
      await Promise.all(paths.map((path) => queries.invalidateQueries({ queryKey: [path] })));
      return done;
    } catch (error) {
      setFault(error);
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return { busy, fault, run };
}
