import type { ProblemDetail } from "../../application/outcome.ts";

/** A file that cannot be read as a whole, or lacks a column that the settings name. */
export class UnreadableFile extends Error {
  readonly path: ProblemDetail["path"];
  constructor(message: string, path: ProblemDetail["path"] = ["file"]) {
    super(message);
    this.path = path;
  }
}

/** A line that cannot be the header: a column is not in it. A later one may be. */
export class MissingColumn extends UnreadableFile {}
