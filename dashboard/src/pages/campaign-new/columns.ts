import type { ColumnRole } from "../../../../contract/campaign-import.ts";

/** The column of the file for each meaning; "": none. */
export type Columns = Readonly<Record<ColumnRole, string>>;
