import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Its folder, in `directory`, is created with its first file. Rejects if the file is there. */
export async function createFile(path: string, directory: string): Promise<FileHandle> {
  try {
    return await open(path, "wx", FILE_MODE);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
    await flushFolder(directory);
    return open(path, "wx", FILE_MODE);
  }
}

/** A file name is durable only when its folder is flushed. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** What `work` makes of a file; null: the file is not there. */
export async function withFile<T>(
  path: string,
  flags: "r" | "r+",
  work: (file: FileHandle) => Promise<T>,
): Promise<T | null> {
  const file = await openIfThere(path, flags);
  if (file === null) return null;
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

export async function openIfThere(path: string, flags: "r" | "r+"): Promise<FileHandle | null> {
  try {
    return await open(path, flags);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** All of it, or it rejects. */
export async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
