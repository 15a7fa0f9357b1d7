/**
 * Descriptions of fields for schemas that share them: a record, the body that creates it, the body that
 * changes it. `of`: names of components, or of operations for inline schemas. A nested field is named with
 * dots (`plan.maxConcurrentCalls`). Numbers name their unit.
 */
export type FieldTable = {
  readonly of: readonly string[];
  readonly fields: Readonly<Record<string, string>>;
};
