import process from "node:process";
import { type Logger as Pino, pino } from "pino";
import type { Logger } from "../application/ports/logger.ts";

export type LogLevel = "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";

/** For a person who looks on; not loaded elsewhere. */
const pretty = process.stderr.isTTY ? (await import("pino-pretty")).default : null;

/**
 * On a terminal one readable line for each event, elsewhere JSON lines; on stderr, so that stdout is only for
 * what a person asked to see (the first key). A failed write (no reader any more) is an `error` event of
 * `process.stderr`.
 */
export function createLogger(level: LogLevel): Logger {
  const destination = pino.destination({ fd: 2, sync: true });
  destination.on("error", (error: Error) => {
    if (process.stderr.listenerCount("error") > 0) process.stderr.emit("error", error);
  });
  const serializers = { err: loggedError, error: loggedError };
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers };
  return adapt(pino(options, pretty === null ? destination : pretty({ ...READABLE, destination })));
}

const READABLE = {
  colorize: true,
  singleLine: true,
  sync: true,
  translateTime: "SYS:HH:MM:ss",
  // Every other field is told in the line itself.
  include: "level,time,err,error",
  messageFormat: readableLine,
};

/** Told in front of the line or, as an error, below it. */
const TOLD_APART = new Set(["level", "time", "msg", "err", "error"]);

/** The message, and its fields as `name=value`. */
function readableLine(fields: Readonly<Record<string, unknown>>, messageKey: string): string {
  const named = Object.entries(fields).flatMap(([name, value]) =>
    TOLD_APART.has(name) ? [] : `${name}=${readableValue(value)}`,
  );
  return [fields[messageKey], ...named].join(" ");
}

/** Visible ASCII without `"` and `=`. */
const PLAIN = /^[!#-<>-~]+$/;

function readableValue(value: unknown): string {
  return typeof value === "string" && PLAIN.test(value) ? value : JSON.stringify(value);
}

function adapt(target: Pino): Logger {
  return {
    debug: (fields, message) => target.debug(fields, message),
    info: (fields, message) => target.info(fields, message),
    warn: (fields, message) => target.warn(fields, message),
    error: (fields, message) => target.error(fields, message),
  };
}

/** A telephone number in E.164, also where a database or a library repeats it in a message. */
const NUMBER = /\+\d{7,15}/g;

/**
 * The parts of an error for a log line: kind, message, code, stack, and the table and constraint that
 * refused; the same of its cause. Nothing else, because PostgreSQL puts whole rows into its details ("Failing
 * row contains …"), with numbers, names and secrets.
 */
export function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return {
    type: error.name === "Error" ? error.constructor.name : error.name,
    message: withoutNumbers(error.message),
    stack: withoutNumbers(error.stack ?? ""),
    ...textOf(error, "code"),
    ...textOf(error, "table"),
    ...textOf(error, "constraint"),
    ...(error.cause === undefined ? {} : { cause: loggedError(error.cause) }),
  };
}

function withoutNumbers(text: string): string {
  return text.replaceAll(NUMBER, "+…");
}

function textOf(error: Error, name: string): Readonly<Record<string, string>> {
  const value: unknown = Reflect.get(error, name);
  return typeof value === "string" ? { [name]: withoutNumbers(value) } : {};
}
