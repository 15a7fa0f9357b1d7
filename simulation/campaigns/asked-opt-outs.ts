import type { DomainEvent } from "../../domain/events.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";

/** What a simulated callee says who does not want to be called again. */
export const NEVER_AGAIN = "Please never call me again.";

/**
 * Who asked, as far as the log knows, and of whom the log says so. No code is shared with what hears
 * them.
 */
export type AskedBook = {
  readonly numbers: Map<CallId, PhoneNumber>;
  readonly machines: Set<CallId>;
  /** When their words were in the log. */
  readonly asked: Map<CallId, number>;
  /** How often the log says so. */
  readonly optedOut: Map<CallId, number>;
  /** When it was in the log. */
  readonly revoked: Map<CallId, number>;
};

export function newAskedBook(): AskedBook {
  return {
    numbers: new Map(),
    machines: new Set(),
    asked: new Map(),
    optedOut: new Map(),
    revoked: new Map(),
  };
}

export function noteAsked(book: AskedBook, event: DomainEvent, seenAt: number): void {
  switch (event.type) {
    case "CallRequested":
      book.numbers.set(event.data.callId, event.data.to);
      return;
    case "CallConnected":
    case "CallMachineJudged": // the carrier's answer may come after its conversation
      if (event.data.answeredBy === "machine") book.machines.add(event.data.callId);
      else book.machines.delete(event.data.callId);
      return;
    case "CallMessageAdded":
      if (event.data.message.role === "customer" && event.data.message.content === NEVER_AGAIN)
        if (!book.machines.has(event.data.callId)) book.asked.set(event.data.callId, seenAt);
      return;
    case "CallOptedOut":
      book.optedOut.set(event.data.callId, (book.optedOut.get(event.data.callId) ?? 0) + 1);
      return;
    case "CallOptOutRevoked":
      book.revoked.set(event.data.callId, seenAt);
      return;
    default:
      return;
  }
}
