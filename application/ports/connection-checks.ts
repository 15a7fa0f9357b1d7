import type { ConnectionId, OwnerId } from "../../domain/shared/ids.ts";

export type ConnectionFinding = {
  /** What was looked at: `reachable`, `credentials`, `version` and the like. */
  readonly name: string;
  readonly ok: boolean;
  /** A sentence of ours: nothing of what the other side said, and no secret. */
  readonly detail: string;
};

export type ConnectionCheck = {
  /** Every finding is. */
  readonly ok: boolean;
  readonly millis: number;
  readonly findings: readonly ConnectionFinding[];
};

/** Asks the other side of a connection, now. */
export interface ConnectionChecks {
  /** Ends within 15 s and rejects only when the connection cannot be read. null: unknown. */
  check(owner: OwnerId, id: ConnectionId): Promise<ConnectionCheck | null>;
}
