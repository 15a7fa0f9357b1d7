import { readdir } from "node:fs/promises";
import { basename } from "node:path";
import { systemClock } from "../../infrastructure/clock.ts";
import { recordingFiles } from "../../infrastructure/recordings/recording-files.ts";

/** The calls whose recordings are in a RECORDINGS_DIR, one for each time that it is there. */
export async function keptRecordings(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory, { recursive: true }).catch(() => []);
  const own = names.filter((name) => name.includes("call_")).map((name) => basename(name, ".rec"));
  const { segments } = recordingFiles(directory, systemClock);
  const records = await Promise.all(
    (await segments.list()).map(async ({ name }) => (await segments.read(name, 0)).records),
  );
  return [...own, ...records.flat().flatMap(({ callId, isErased }) => (isErased ? [] : [callId]))];
}
