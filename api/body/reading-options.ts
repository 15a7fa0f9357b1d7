import type { NumberCountry } from "../../domain/shared/written-number.ts";

/** What a column of a contact file may be for. */
export type ColumnRole = "phone" | "name" | "timezone" | "externalId";
/** Names of columns by what they are for, as the caller gave them. */
export type NamedColumns = Readonly<Partial<Record<ColumnRole, string>>>;

/** How a file of contacts is read. Everything in it can be copied between threads. */
export type ReadingOptions = {
  /** Repeated numbers are refused while reading, and do not count as contacts. */
  readonly skipDuplicates: boolean;
  readonly columns: NamedColumns;
  /** Where numbers are dialled that are not in E.164 form; null: such a number is refused. */
  readonly defaultCountry: NumberCountry | null;
  /** Of the refused rows: the first 100, all (100,000 at the most), or all with their cells. */
  readonly report: "first" | "all" | "rows";
};
