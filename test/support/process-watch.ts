import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";

/**
 * Processes that were given this folder: in their command line or their environment. Where
 * there is no /proc: none.
 */
export function processesOf(folder: string): readonly string[] {
  return numbersIn("/proc")
    .filter((pid) => pid !== String(process.pid))
    .flatMap((pid) => {
      const command = textOf(`/proc/${pid}/cmdline`);
      return command.includes(folder) || textOf(`/proc/${pid}/environ`).includes(folder)
        ? [`${pid} ${command}`]
        : [];
    });
}

function numbersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** "" when the process is gone, or another user's. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8").replaceAll("\0", " ").trim();
  } catch {
    return "";
  }
}
