export type EmbeddedPostgresErrorCode =
  | "no-binary"
  | "data-dir-unusable"
  | "folder-closed"
  | "other-major-version"
  | "held"
  | "initdb-failed"
  | "start-failed";

/**
 * The embedded server is not available. `message` is one line that says what and where, ready to be printed;
 * `stderrTail` has the last 8 kB of output of initdb or the server, if there was any.
 */
export class EmbeddedPostgresError extends Error {
  readonly code: EmbeddedPostgresErrorCode;
  readonly stderrTail: string;

  constructor(code: EmbeddedPostgresErrorCode, message: string, stderrTail = "") {
    super(message.replaceAll(/\s+/g, " ").trim());
    this.name = "EmbeddedPostgresError";
    this.code = code;
    this.stderrTail = stderrTail;
  }
}

/** `code` of a Node system error ("EACCES"), or "" for anything else. */
export function systemErrorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
