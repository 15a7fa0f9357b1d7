import { rm } from "node:fs/promises";

/**
 * With all that is in it. A database whose service was killed goes on writing for a moment: 10 s of patience.
 */
export function removeFolder(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 13, retryDelay: 100 });
}
