import { randomBytes } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RecordingFiles } from "../../application/ports/recordings.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { openSealed, writeSealed } from "./sealed-recording.ts";

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const UNFINISHED = ".part";
/** No write takes longer. */
const ABANDONED_MILLIS = 86_400_000;

/**
 * One file for each recording, in folders by the end of the call's id; unfinished files
 * have names of their own.
 */
export function recordingFiles(directory: string): RecordingFiles {
  const pathOf = (callId: CallId) => join(directory, folderOf(callId), `${callId}.rec`);
  return {
    async write(callId, key, contentType, source) {
      const path = pathOf(callId);
      const unfinished = `${path}.${randomBytes(6).toString("hex")}${UNFINISHED}`;
      try {
        const file = await create(unfinished, directory);
        try {
          await writeSealed(file, { key, subject: callId, contentType }, source);
          await file.datasync();
        } finally {
          await file.close();
        }
        await rename(unfinished, path);
        await flush(dirname(path));
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    async open(callId, key) {
      try {
        return await openSealed(await open(pathOf(callId), "r"), callId, key);
      } catch (error) {
        if (isMissing(error)) return { kind: "missing" };
        throw error;
      }
    },
    async remove(callIds) {
      for (const callId of callIds) await rm(pathOf(callId), { force: true });
    },
    disk: () => diskOf(directory),
  };
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

/** Its folder is created with its first file. */
async function create(path: string, directory: string): Promise<FileHandle> {
  try {
    return await open(path, "wx", FILE_MODE);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
    await flush(directory);
    return open(path, "wx", FILE_MODE);
  }
}

function folderOf(callId: CallId): string {
  if (!/^call_[0-9A-Za-z_-]{1,64}$/.test(callId)) throw new Error("No file can have the name of this call");
  return callId.slice(-2);
}

/** A file name is durable only when its folder is flushed. */
async function flush(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
