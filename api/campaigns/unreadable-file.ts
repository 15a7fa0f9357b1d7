import { CsvError } from "csv-parse/sync";
import type { ProblemDetail } from "../../application/outcome.ts";

/** A file that is none as a whole, or that lacks a column which the settings name. */
export class UnreadableFile extends Error {
  readonly path: ProblemDetail["path"];
  constructor(message: string, path: ProblemDetail["path"] = ["file"]) {
    super(message);
    this.path = path;
  }
}

/** Of what reading a file threw; anything unexpected is thrown on. */
export function whyUnreadable(error: unknown): ProblemDetail {
  if (error instanceof UnreadableFile) return { path: error.path, message: error.message };
  if (!(error instanceof CsvError)) throw error;
  const isOpen = error.code === "CSV_QUOTE_NOT_CLOSED";
  const where = `Line ${String(error["lines"])}: a quote stands where none may stand`;
  return { path: ["file"], message: isOpen ? "A quote is opened and never closed" : where };
}
