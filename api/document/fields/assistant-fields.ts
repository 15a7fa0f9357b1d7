import type { FieldTable } from "./field-table.ts";

/** Assistants, tools, secrets. */
export const ASSISTANT_FIELDS: readonly FieldTable[] = [
  {
  { of: ["deletePhoneNumber"], fields: { "data.id": "Id of what is gone" } },
  { of: ["deleteAssistant", "deleteTool"], fields: { "data.id": "Id of what is gone" } },
];
