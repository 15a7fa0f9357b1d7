import type { Logger } from "../../../application/ports/logger.ts";

/** Keeps the messages of each level. */
export type RecordingLogger = Logger & {
  readonly lines: { readonly level: string; readonly message: string }[];
};

export function createRecordingLogger(): RecordingLogger {
  const lines: RecordingLogger["lines"] = [];
  const at = (level: string) => (_fields: unknown, message: string) => void lines.push({ level, message });
  const logger: RecordingLogger = {
    lines,
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
  };
  return logger;
}
