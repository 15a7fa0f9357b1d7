import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

export type ProgramRun = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** Runs one of programs/ to its end, in an environment of its own. */
export function runProgram(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ProgramRun> {
  const file = join(import.meta.dirname, "../../programs", name);
  const environment = { PATH: process.env["PATH"] ?? "", TMPDIR: tmpdir(), LOG_LEVEL: "error", ...env };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [file, ...args],
      { env: environment, maxBuffer: 64 * 2 ** 20 },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
      },
    );
  });
}
