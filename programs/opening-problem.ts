import { ConfigError } from "../infrastructure/config.ts";

/** The same as lines: one for each mistake in the configuration. */
export function openingLines(error: unknown): readonly string[] {
  return error instanceof ConfigError ? error.lines : [openingProblem(error)];
}

/** Why a program could not open its stores, in one line that says what and where. */
export function openingProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE" && "port" in error)
    return `Port ${String(error.port)} is already in use by another program; set PORT to a free one.`;
  if (code === "EACCES" && "path" in error)
    return `${String(error.path)} cannot be read or written by this user.`;
  return error.message.split("\n")[0] ?? String(error);
}
