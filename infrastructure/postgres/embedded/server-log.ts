/** Same signature as the log port: level, message, fields. */
export type Log = (
  level: "debug" | "info" | "warn" | "error",
  message: string,
  fields: Readonly<Record<string, unknown>>,
) => void;

/**
 * Passes a line of the server's stderr to our log. The server's settings keep statements
 * and values out of it.
 */
export function logServerLine(log: Log, line: string): void {
  if (line.trim() === "") return;
  const grave = /\b(FATAL|PANIC):/.test(line);
  log(grave ? "warn" : "debug", "embedded PostgreSQL", { line });
}

/** The line that explains why a program ended: the last FATAL, PANIC or error one, else the last one. */
export function lastLine(stderr: string): string | undefined {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  return lines.findLast((line) => /\b(FATAL|PANIC|error|could not)\b/.test(line)) ?? lines.at(-1);
}
