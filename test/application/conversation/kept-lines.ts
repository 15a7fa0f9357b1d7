import type { LogFields, Logger } from "../../../application/ports/logger.ts";

export type KeptLine = { readonly level: string; readonly message: string; readonly fields: LogFields };

/** A logger whose lines can be read with their fields: the call must be found in them. */
export function keptLines(): Logger & { readonly lines: readonly KeptLine[] } {
  const lines: KeptLine[] = [];
  const at = (level: string) => (fields: LogFields, message: string) =>
    void lines.push({ level, message, fields });
  return { lines, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
