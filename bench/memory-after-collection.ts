import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** What this process holds once whatever nobody needs any more is gone. */
export function memoryAfterCollection(): NodeJS.MemoryUsage {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  collect();
  return process.memoryUsage();
}
