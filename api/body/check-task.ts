import { readContactsCsv } from "../campaigns/read-contacts-csv.ts";
import { bodySchemas } from "./body-schemas.ts";
import { type CheckedBody, checkJson } from "./check-json.ts";

/** What can be handed to a worker: everything in it can be copied between threads. */
export type CheckTask = { readonly kind: "json"; readonly schema: string } | CsvTask;
/** `skipDuplicates`: repeated numbers are refused while reading, and do not count as contacts. */
export type CsvTask = { readonly kind: "csv"; readonly skipDuplicates: boolean };

/** The same check wherever it runs. */
export function runCheck(task: CheckTask, bytes: Uint8Array): CheckedBody {
  if (task.kind === "csv") return readContactsCsv(bytes, task.skipDuplicates);
  const schema = bodySchemas[task.schema];
  if (schema === undefined) throw new Error(`No body schema ${task.schema}`);
  return checkJson(bytes, schema);
}
