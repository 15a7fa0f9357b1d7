import type { Position as LogPosition } from "@eventstore/db-client";
import { type Position, START } from "../../../application/ports/event-store.ts";

/**
 * `<commit>`, or `<commit>.<prepare>` if they differ; both are byte offsets in the log, and
 * their gaps mean nothing.
 */
export function encodePosition(position: LogPosition): Position {
  const { commit, prepare } = position;
  return commit === prepare ? String(commit) : `${commit}.${prepare}`;
}

/** undefined for START and for text that is not a position of this adapter. */
export function decodePosition(position: Position): LogPosition | undefined {
  const [, commit, prepare] = /^(\d{1,20})(?:\.(\d{1,20}))?$/.exec(position) ?? [];
  return commit === undefined ? undefined : { commit: BigInt(commit), prepare: BigInt(prepare ?? commit) };
}

export function comparePositions(a: Position, b: Position): number {
  if (a === b) return 0;
  if (a === START) return -1;
  return b === START ? 1 : compareLogPositions(decodePosition(a), decodePosition(b));
}

export function compareLogPositions(a: LogPosition | undefined, b: LogPosition | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  if (a.commit !== b.commit) return a.commit < b.commit ? -1 : 1;
  return a.prepare === b.prepare ? 0 : a.prepare < b.prepare ? -1 : 1;
}
