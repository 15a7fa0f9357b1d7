import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CallOfTheCarrier } from "../../domain/campaign/commands.ts";

const HEADER = "to,at,from,callId";

/**
 * The people who were called, for the operator: `DATA_DIR/restored-<value>.csv`, readable by nobody else.
 * Returns the file's name.
 */
export async function writeRestoredCalls(
  dataDir: string,
  value: string,
  calls: readonly CallOfTheCarrier[],
): Promise<string> {
  const name = `restored-${value}.csv`;
  const path = join(dataDir, name);
  const rows = calls.map(({ to, at, from, callId }) => [to, at, from, callId].join(","));
  await mkdir(dataDir, { recursive: true });
  await writeFile(path, `${[HEADER, ...rows].join("\n")}\n`, { mode: 0o600 });
  await chmod(path, 0o600);
  return name;
}
