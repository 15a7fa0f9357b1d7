export type EmbeddedPostgresErrorCode =
  | "no-binary"
  | "data-dir-unusable"
  | "folder-closed"
  | "other-major-version"
  | "held"
  | "initdb-failed"
  | "start-failed";

/**
 * The embedded server cannot be had. `message` is one line that says what and where, fit to be printed as it is;
 * `stderrTail` holds the last 8 kB that initdb or the server said, when it came that far.
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
