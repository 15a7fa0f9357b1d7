import type { ConnectionId, OwnerId } from "../../domain/shared/ids.ts";

export type ConnectionFinding = {
  /** What was checked: `reachable`, `credentials`, `version` and others. */
  readonly name: string;
  readonly ok: boolean;
  /** A sentence of ours, without secrets and without text from the other side. */
  readonly detail: string;
};

export type ConnectionCheck = {
  /** True when every finding is ok. */
  readonly ok: boolean;
  readonly millis: number;
  readonly findings: readonly ConnectionFinding[];
};

/** Checks the other side of a connection, now. */
export interface ConnectionChecks {
  /** Ends within 15 s and rejects only when the connection cannot be read. null: unknown. */
  check(owner: OwnerId, id: ConnectionId): Promise<ConnectionCheck | null>;
}
