import { useCallback, useEffect, useRef } from "react";

/** Runs a function once after a delay, however often it is requested meanwhile. */
export function useOnceWithin(): (what: string, millis: number, todo: () => void) => void {
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const { current } = timers;
    return () => {
      for (const timer of current.values()) clearTimeout(timer);
      current.clear();
    };
  }, []);
  return useCallback((what: string, millis: number, todo: () => void) => {
    if (timers.current.has(what)) return;
    const done = () => {
      timers.current.delete(what);
      todo();
    };
    timers.current.set(what, setTimeout(done, millis));
  }, []);
}
