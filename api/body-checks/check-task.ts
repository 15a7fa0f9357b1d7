import { type CheckedBody, checkJson } from "../body/check-json.ts";
import type { CheckTask } from "../body/check-protocol.ts";
import { readContactsCsv } from "../campaigns/read-contacts-csv.ts";
import { bodySchemas } from "./body-schemas.ts";

/** The same check in the process and in a worker. */
export function runCheck(task: CheckTask, bytes: Uint8Array): CheckedBody {
  if (task.kind === "csv") return readContactsCsv(bytes, task);
  const schema = bodySchemas[task.schema];
  if (schema === undefined) throw new Error(`No body schema ${task.schema}`);
  return checkJson(bytes, schema);
}
