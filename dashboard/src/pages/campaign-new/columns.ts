export type ColumnRole = "phone" | "name" | "timezone" | "externalId";
/** The column of the file for each meaning; "": none. */
export type Columns = Readonly<Record<ColumnRole, string>>;
