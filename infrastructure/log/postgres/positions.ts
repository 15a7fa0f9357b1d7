import { type Position, START } from "../../../application/ports/event-store.ts";

/** Positions are whole numbers from 1 without gaps; 2^53 are enough. */
export function placeOf(position: Position): number {
  if (position === START) return 0;
  if (!/^\d{1,15}$/.test(position)) throw new RangeError(`${position} is no position of a log in PostgreSQL`);
  return Number(position);
}

export function positionAt(place: number): Position {
  return place === 0 ? START : String(place);
}

export function comparePositions(a: Position, b: Position): number {
  return placeOf(a) - placeOf(b);
}
