import { type Logger as Pino, pino } from "pino";
import type { Logger } from "../application/ports/logger.ts";
import { loggedError } from "./logged-error.ts";

export type LogLevel = "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";

/** JSON lines on stderr, so that stdout stays for what a person asked to see (the first key). */
export function createLogger(level: LogLevel): Logger {
  return adapt(
    pino(
      {
        level,
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        serializers: { err: loggedError, error: loggedError },
      },
      pino.destination({ fd: 2, sync: true }),
    ),
  );
}

function adapt(target: Pino): Logger {
  return {
    debug: (fields, message) => target.debug(fields, message),
    info: (fields, message) => target.info(fields, message),
    warn: (fields, message) => target.warn(fields, message),
    error: (fields, message) => target.error(fields, message),
    child: (fields) => adapt(target.child(fields)),
  };
}
