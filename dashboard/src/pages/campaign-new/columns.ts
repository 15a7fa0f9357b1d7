import type { ColumnRole } from "../../../../contract/campaign-import.ts";

export type { ColumnRole };
/** The column of the file for each meaning; "": none. */
export type Columns = Readonly<Record<ColumnRole, string>>;
