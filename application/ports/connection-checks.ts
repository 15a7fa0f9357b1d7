import type { ConnectionCheckRecord } from "../../contract/connection-check.ts";
import type { ConnectionId, OwnerId } from "../../domain/shared/ids.ts";

/** Checks the other side of a connection, now. */
export interface ConnectionChecks {
  /** Ends within 15 s and rejects only when the connection cannot be read. null: unknown. */
  check(owner: OwnerId, id: ConnectionId): Promise<ConnectionCheckRecord | null>;
}
