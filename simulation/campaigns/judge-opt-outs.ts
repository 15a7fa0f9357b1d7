import type { DomainEvent } from "../../domain/events.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { Observer } from "./observer.ts";
import type { Scenario } from "./scenario.ts";
import type { Shared } from "./shared-world.ts";
import { OWNER } from "./simulated-names.ts";

/** What a simulated callee says who does not want to be called again. */
export const NEVER_AGAIN = "Please never call me again.";

/** Who asked, as far as the log knows, and of whom the log says so. No code is shared with what hears them. */
export type AskedBook = {
  readonly numbers: Map<CallId, PhoneNumber>;
  readonly machines: Set<CallId>;
  readonly asked: Set<CallId>;
  readonly optedOut: Map<CallId, number>;
  readonly revoked: Set<CallId>;
};

export function newAskedBook(): AskedBook {
  return {
    numbers: new Map(),
    machines: new Set(),
    asked: new Set(),
    optedOut: new Map(),
    revoked: new Set(),
  };
}

export function noteAsked(book: AskedBook, event: DomainEvent): void {
  switch (event.type) {
    case "CallRequested":
      book.numbers.set(event.data.callId, event.data.to);
      return;
    case "CallConnected":
      if (event.data.answeredBy === "machine") book.machines.add(event.data.callId);
      return;
    case "CallMessageAdded":
      if (event.data.message.role === "customer" && event.data.message.content === NEVER_AGAIN)
        if (!book.machines.has(event.data.callId)) book.asked.add(event.data.callId);
      return;
    case "CallOptedOut":
      book.optedOut.set(event.data.callId, (book.optedOut.get(event.data.callId) ?? 0) + 1);
      return;
    case "CallOptOutRevoked":
      book.revoked.add(event.data.callId);
      return;
    default:
      return;
  }
}

/**
 * Everybody who asked never to be called again is on the list in the end, and each of these calls says so once;
 * nobody else is.
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
