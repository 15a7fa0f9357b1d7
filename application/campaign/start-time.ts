import { startTimeProblem } from "../../domain/campaign/settings.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { refused } from "../outcome.ts";

/** null: the campaign may start at that time, or has no start time. */
export function refusedStartTime(startAt: Instant | null, now: Instant) {
  const problem = startAt === null ? null : startTimeProblem(startAt, now);
  if (problem === null) return null;
  return refused("VALIDATION_ERROR", "The campaign cannot start by itself then", [
    { path: ["startAt"], message: problem },
  ]);
}
