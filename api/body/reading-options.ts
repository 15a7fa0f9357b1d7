import type { ColumnRole } from "../../contract/campaign-import.ts";
import type { NumberCountry } from "../../domain/shared/written-number.ts";

/** Names of columns by meaning, as given by the caller. */
export type NamedColumns = Readonly<Partial<Record<ColumnRole, string>>>;

/** How a file of contacts is read. Everything in it can be copied between threads. */
export type ReadingOptions = {
  /** Repeated numbers are refused while reading, and do not count as contacts. */
  readonly skipDuplicates: boolean;
  readonly columns: NamedColumns;
  /** Default country for numbers that are not in E.164; null: these are refused. */
  readonly defaultCountry: NumberCountry | null;
  /** Which refused rows are reported: the first 100, all (at most 100,000), or all with their cells. */
  readonly report: "first" | "all" | "rows";
  /** Charset of the file's content type; null: none. */
  readonly charset: string | null;
  /** Folded keys of the placeholders in the campaign's texts. */
  readonly said: ReadonlySet<string>;
};
