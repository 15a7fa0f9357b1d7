import type { ColumnRole } from "../../../../contract/campaign-import.ts";

export type Columns = Readonly<Record<ColumnRole, string>>;
