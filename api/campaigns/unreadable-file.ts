import { CsvError } from "csv-parse/sync";
import type { ProblemDetail } from "../../application/outcome.ts";

/** A file that cannot be read as a whole, or lacks a column that the settings name. */
export class UnreadableFile extends Error {
  readonly path: ProblemDetail["path"];
  constructor(message: string, path: ProblemDetail["path"] = ["file"]) {
    super(message);
    this.path = path;
  }
}

/** Maps an error of the file reader; unexpected errors are rethrown. */
export function whyUnreadable(error: unknown): ProblemDetail {
  if (error instanceof UnreadableFile) return { path: error.path, message: error.message };
  if (!(error instanceof CsvError)) throw error;
  const isOpen = error.code === "CSV_QUOTE_NOT_CLOSED";
  const where = `Line ${String(error["lines"])}: a quote stands where none may stand`;
  return { path: ["file"], message: isOpen ? "A quote is opened and never closed" : where };
}
