export type LogFields = Readonly<Record<string, unknown>>;

/** Structured log: one line for each outcome, no personal data, no secrets. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}
