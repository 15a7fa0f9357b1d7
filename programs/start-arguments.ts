import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };

const ROOT = join(import.meta.dirname, "..");

/**
 * Node's arguments of `npm start`, for programs that start the service themselves; the file
 * as an absolute path.
 */
export const START_ARGUMENTS: readonly string[] = manifest.scripts.start
  .split(" ")
  .slice(1)
  .map((argument) => (argument.startsWith("programs/") ? join(ROOT, argument) : argument));
