import type { FieldTable } from "./field-table.ts";

/** Events. */
/** Health, errors. */
export const SERVICE_FIELDS: readonly FieldTable[] = [];
