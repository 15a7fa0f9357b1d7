import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { Position } from "./event-store.ts";

/** A dial that the log has; `at`: when it was judged, or requested where nothing judged it. */
export type PastDial = {
  readonly owner: OwnerId;
  readonly phoneNumber: PhoneNumber;
  readonly callId: CallId;
  readonly at: Instant;
};

/**
 * Dials of before, which the caps of policies count: read from the log once after an upgrade, and again after
 * an accepted restore. Any number of processes may do so at once.
 */
export interface PastDials {
  /** Before which the log is still to be read, newest first (null: from its end); null: it was read. */
  toRead(): Promise<{ readonly before: Position | null } | null>;
  /** Counts these dials, those left out that are counted already, and notes how far the log was read. */
  count(dials: readonly PastDial[], before: Position | null): Promise<void>;
  allRead(): Promise<void>;
  /** The stores were restored: the log is to be read again. */
  readAgain(): Promise<void>;
}
