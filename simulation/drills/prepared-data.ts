import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeDrillFolder } from "./drill-folder.ts";
import { SERVICE, startProgram } from "./program.ts";

/**
 * A DATA_DIR after the service's first start and a clean stop: every drill begins with a copy
 * instead of an installation.
 */
export type PreparedData = {
  /** The installation's first key. */
  readonly apiKey: string;
  /** Makes this folder. */
  readonly copyTo: (dataDir: string) => Promise<void>;
  readonly remove: () => Promise<void>;
};

export async function prepareData(): Promise<PreparedData> {
  const folder = makeDrillFolder();
  const dataDir = join(folder.path, "data");
  const apiKey = randomBytes(24).toString("hex");
  try {
    const env = { PORT: "0", DATA_DIR: dataDir, DASHBOARD: "off", BOOTSTRAP_API_KEY: apiKey };
    const service = startProgram(SERVICE, env, join(folder.path, "service.log"));
    await service.listening;
    await service.stop();
  } catch (error) {
    await folder.remove();
    throw error;
  }
  return {
    apiKey,
    // With owners and modes, because as root the database belongs to another user.
    copyTo: async (copy) => void (await promisify(execFile)("cp", ["-a", dataDir, copy])),
    remove: folder.remove,
  };
}
