import type { Observer } from "./observer.ts";
import type { Scenario } from "./scenario.ts";
import type { Shared } from "./shared-world.ts";
import { OWNER } from "./simulated-names.ts";

/**
 * Everybody who asked never to be called again is on the list in the end, and each of these calls says so
 * once; nobody else is.
 */
export function judgeOptOuts(
  { directory }: Shared,
  scenario: Scenario,
  observer: Observer,
): readonly string[] {
  const { numbers, asked, optedOut, revoked } = observer.askedBook;
  const problems: string[] = [];
  for (const [callId, times] of optedOut) {
    if (times !== 1) problems.push(`${callId} says ${times} times that somebody opted out`);
    if (!asked.has(callId) || !scenario.listens) problems.push(`${callId}: nobody opted out`);
  }
  if (!scenario.listens) return problems;
  for (const callId of asked) {
    const number = numbers.get(callId);
    if (!optedOut.has(callId)) problems.push(`${callId} does not say that somebody opted out`);
    if (number === undefined || revoked.has(callId)) continue;
    if (!directory.isSuppressed(OWNER, number)) problems.push(`${number} opted out and is not on the list`);
  }
  return problems;
}
