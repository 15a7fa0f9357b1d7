import { groupRunner as runGroups } from "../../application/group-runner.ts";
import { isRetryableDatabaseError } from "./database-error.ts";

/** Statements that wait at the same moment, as one: a group that fails because the database was away fails for each of them. */
export function groupRunner<Operation, Answer>(
  run: (operations: readonly Operation[]) => Promise<readonly Answer[]>,
  largest: number,
): (operation: Operation) => Promise<Answer> {
  return runGroups({ run, largest, failsForAll: isRetryableDatabaseError });
}
