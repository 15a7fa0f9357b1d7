import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The process id of the embedded server of a DATA_DIR. */
export function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, "postgres/data/postmaster.pid"), "utf8").split("\n")[0]);
}
