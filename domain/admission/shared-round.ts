import { connectionTurns } from "./connection-pace.ts";
import type { Wake } from "./requests.ts";
import { CAPACITY, forConnection, freeCapacity, freeLines, type SharedBook } from "./shared-book.ts";
import type { Millis } from "./slots.ts";

/** Of all owners' campaigns those that can go on with what is free now, the longest waiting first. */
export function sharedRound(shared: SharedBook, now: Millis): readonly Wake[] {
  if (shared.waiters.size === 0) return [];
  const waiting = [...shared.waiters.values()].sort((a, b) => a.lastGrant - b.lastGrant);
  const places = (waitsFor: string, free: number): readonly Wake[] =>
    waiting
      .filter((waiter) => waiter.waitsFor === waitsFor)
      .slice(0, Math.min(free, waiting.length))
      .map(({ owner, campaignId }) => ({ owner, campaignId }));
  const connections = [...shared.connections.values()].flatMap((connection) =>
    places(
      forConnection(connection.key),
      Math.min(freeLines(connection), connectionTurns(connection, now, false)),
    ),
  );
  return [...connections, ...places(CAPACITY, freeCapacity(shared, false))];
}
