import process from "node:process";
import { type Logger as Pino, pino } from "pino";
import type { Logger } from "../application/ports/logger.ts";
import { loggedError } from "./logged-error.ts";

export type LogLevel = "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";

/**
 * JSON lines on stderr, so that stdout is only for what a person asked to see (the first key). A failed write
 * (no reader any more) is an `error` event of `process.stderr`.
 */
export function createLogger(level: LogLevel): Logger {
  const destination = pino.destination({ fd: 2, sync: true });
  destination.on("error", (error: Error) => {
    if (process.stderr.listenerCount("error") > 0) process.stderr.emit("error", error);
  });
  const serializers = { err: loggedError, error: loggedError };
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers };
  return adapt(pino(options, destination));
}

function adapt(target: Pino): Logger {
  return {
    debug: (fields, message) => target.debug(fields, message),
    info: (fields, message) => target.info(fields, message),
    warn: (fields, message) => target.warn(fields, message),
    error: (fields, message) => target.error(fields, message),
  };
}
