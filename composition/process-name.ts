import type { Config } from "../infrastructure/config.ts";
import { systemIds } from "../infrastructure/ids.ts";

/**
 * With the embedded database there is one process, which takes its leases back at once after a restart;
 * otherwise every process has a new name.
 */
export function processName(config: Config): string {
  return config.databaseUrl === null ? "ringfold" : `ringfold-${processSuffix}`;
}
const processSuffix = systemIds.uuid();
