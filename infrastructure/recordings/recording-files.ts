import { randomBytes } from "node:crypto";
import { readdir, rename, rm, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../../application/ports/clock.ts";
import type { RecordingSegments } from "../../application/ports/recording-segments.ts";
import type { RecordingFiles } from "../../application/ports/recordings.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { createFile, flushFolder, isMissing, openIfThere } from "./durable-files.ts";
import { openSealed, sealedParts } from "./sealed-recording.ts";
import { segmentFiles } from "./segments.ts";

const UNFINISHED = ".part";
/** No write takes longer. */
const ABANDONED_MILLIS = 86_400_000;
/** A sealed recording up to this size shares a file with others. */
const MOST_IN_SEGMENT = 1024 * 1024;

/**
 * Small recordings stand in segments. A larger one is a file of its own, in folders by the end of the call's
 * id, as each was before there were segments; unfinished files have names of their own.
 */
export function recordingFiles(
  directory: string,
  clock: Pick<Clock, "nowMillis">,
): RecordingFiles & { readonly segments: RecordingSegments } {
  const pathOf = (callId: CallId) => join(directory, folderOf(callId), `${callId}.rec`);
  const segments = segmentFiles(directory, clock);
  return {
    segments,
    async write(callId, key, contentType, source) {
      const path = pathOf(callId);
      const parts = sealedParts({ key, subject: callId, contentType }, source);
      const first: Buffer[] = [];
      for (let bytes = 0; bytes <= MOST_IN_SEGMENT; ) {
        const { value: part } = await parts.next();
        if (part === undefined) return segments.add(callId, first);
        first.push(part);
        bytes += part.length;
      }
      await writeFile(path, directory, first, parts).finally(() => parts.return());
      return null;
    },
    flush: segments.flush,
    async open({ callId, place }, key) {
      const found = place === null ? null : await segments.open({ callId, place }, key);
      if (found !== null && found.kind !== "missing") return found;
      const file = await openIfThere(pathOf(callId), "r");
      return file === null ? { kind: "missing" } : openSealed(file, null, callId, key);
    },
    async remove(recordings) {
      for (const { callId } of recordings) await rm(pathOf(callId), { force: true });
      await segments.erase(
        recordings.flatMap(({ callId, place }) => (place === null ? [] : [{ callId, place }])),
      );
    },
    disk: () => diskOf(directory),
  };
}

async function writeFile(
  path: string,
  directory: string,
  first: readonly Buffer[],
  rest: AsyncIterable<Buffer>,
): Promise<void> {
  const unfinished = `${path}.${randomBytes(6).toString("hex")}${UNFINISHED}`;
  try {
    const file = await createFile(unfinished, directory);
    try {
      await file.writeFile(Buffer.concat(first));
      for await (const part of rest) await file.writeFile(part);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
    await flushFolder(dirname(path));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Removes unfinished files of dead writers; returns how many there were. */
export async function removeUnfinished(directory: string, nowMillis: number): Promise<number> {
  const names = await readdir(directory, { recursive: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  let removed = 0;
  for (const name of names) {
    if (!name.endsWith(UNFINISHED)) continue;
    const path = join(directory, name);
    const found = await stat(path).catch(() => null);
    if (found === null || nowMillis - found.mtimeMs < ABANDONED_MILLIS) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}

/** A folder that is not there yet will be on the disk of the one that it is in. */
async function diskOf(folder: string): ReturnType<RecordingFiles["disk"]> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch (error) {
    if (!isMissing(error) || dirname(folder) === folder) throw error;
    return diskOf(dirname(folder));
  }
}

function folderOf(callId: CallId): string {
  if (!/^call_[0-9A-Za-z_-]{1,64}$/.test(callId)) throw new Error("No file can have the name of this call");
  return callId.slice(-2);
}
