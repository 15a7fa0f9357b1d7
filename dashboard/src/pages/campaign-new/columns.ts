export type ColumnRole = "phone" | "name" | "timezone" | "externalId";
/** Which column of the file has what; "": the file has none. */
export type Columns = Readonly<Record<ColumnRole, string>>;
