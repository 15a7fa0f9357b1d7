/**
 * What fields say, for schemas that share them: a record, the body that makes it, the body that changes it. `of`: names of components, or of
 * operations for what is written in place. A field within a field is named with dots (`plan.maxConcurrentCalls`). Numbers name their unit.
 */
export type FieldTable = {
  readonly of: readonly string[];
  readonly fields: Readonly<Record<string, string>>;
};
