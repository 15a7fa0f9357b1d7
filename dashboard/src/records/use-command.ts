import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

/** Runs what changes something: one at a time, its fault is kept to be shown, and what begins with `paths` is asked for again. */
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
