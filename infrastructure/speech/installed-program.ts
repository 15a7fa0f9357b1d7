import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** Path of a program on this PATH; null: it is not installed. */
export async function installedProgram(name: string, path: string | undefined): Promise<string | null> {
  const folders = (path ?? "").split(delimiter).filter(isAbsolute);
  for (const folder of folders) {
    const file = join(folder, name);
    try {
      await access(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}
