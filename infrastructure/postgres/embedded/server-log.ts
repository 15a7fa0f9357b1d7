/** Same shape as the log port's function: level, message, fields. */
export type Log = (
  level: "debug" | "info" | "warn" | "error",
  message: string,
  fields: Readonly<Record<string, unknown>>,
) => void;

/** Hands a line of the server's stderr to our log. Its settings keep statements and values out of it. */
export function logServerLine(log: Log, line: string): void {
  if (line.trim() === "") return;
  const grave = /\b(FATAL|PANIC):/.test(line);
  log(grave ? "warn" : "debug", "embedded PostgreSQL", { line });
}

/** The line that says why a program ended: the last FATAL, PANIC or error one, else simply the last. */
export function lastLine(stderr: string): string | undefined {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  return lines.findLast((line) => /\b(FATAL|PANIC|error|could not)\b/.test(line)) ?? lines.at(-1);
}
