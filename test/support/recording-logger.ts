import type { LogFields, Logger } from "../../application/ports/logger.ts";

export type LogLine = { readonly level: string; readonly fields: LogFields; readonly message: string };

/** Keeps what was logged. */
export function recordingLogger(): { readonly logger: Logger; readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = [];
  const at = (level: string) => (fields: LogFields, message: string) => {
    lines.push({ level, fields, message });
  };
  const logger: Logger = {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
  };
  return { logger, lines };
}
