import { connectionTurns } from "./connection-pace.ts";
import {
  CAPACITY,
  type ConnectionBook,
  forConnection,
  freeCapacity,
  freeLines,
  partOf,
  type SharedBook,
} from "./shared-book.ts";
import type { Demand, Millis } from "./slots.ts";

/** How many more calls the shared resources allow. */
export type Room = { readonly lines: number; readonly turns: number; readonly capacity: number };

export function roomFor(
  shared: SharedBook,
  connection: ConnectionBook | null,
  demand: Demand | null,
  now: Millis,
): Room {
  const isAudio = connection?.audio ?? false;
  const free = freeCapacity(shared, isAudio);
  const capacity = demand === null ? free : partOf(shared, CAPACITY, demand, free);
  if (connection === null)
    return { lines: Number.POSITIVE_INFINITY, turns: Number.POSITIVE_INFINITY, capacity };
  const part = (places: number) =>
    demand === null ? places : partOf(shared, forConnection(connection.key), demand, places);
  return {
    lines: part(freeLines(connection)),
    turns: part(connectionTurns(connection, now, demand === null)),
    capacity,
  };
}

/** The same for a campaign that asked before. */
export function roomOf(shared: SharedBook, demand: Demand, now: Millis): number {
  const connection = demand.connection === null ? null : (shared.connections.get(demand.connection) ?? null);
  const { lines, turns, capacity } = roomFor(shared, connection, demand, now);
  return Math.min(lines, turns, capacity);
}
