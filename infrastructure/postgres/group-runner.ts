import { groupRunner as runGroups } from "../../application/group-runner.ts";
import { isRetryableDatabaseError } from "./database-error.ts";

/**
 * Batches statements that wait at the same time. When a batch fails because the database was
 * unavailable, all of them fail.
 */
export function groupRunner<Operation, Answer>(
  run: (operations: readonly Operation[]) => Promise<readonly Answer[]>,
  largest: number,
): (operation: Operation) => Promise<Answer> {
  return runGroups({ run, largest, failsForAll: isRetryableDatabaseError });
}
