import type { EndReason } from "../../domain/call/end-reason.ts";
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

/** A call whose request comes later, because the log is read from its end: what is known of it until then. */
export type MetCall = {
  readonly callId: CallId;
  readonly began: boolean;
  /** null: its end was not met. */
  readonly endReason: EndReason | null;
  readonly at: Instant;
};

/** How far the log was read, newest first. */
export type ReadSoFar = {
  /** What is still to be read comes before it; null: all. */
  readonly before: Position | null;
  readonly met: readonly MetCall[];
};

/**
 * Dials of before, which the caps of policies count: read from the log once after an upgrade, and again after
 * an accepted restore. Any number of processes may do so at once.
 */
export interface PastDials {
  /** null: all was read. */
  readSoFar(): Promise<ReadSoFar | null>;
  /** Counts these dials, those left out that are counted already, and notes how far the log was read. */
  count(dials: readonly PastDial[], readSoFar: ReadSoFar): Promise<void>;
  allRead(): Promise<void>;
  /** The stores were restored: the log is to be read again. */
  readAgain(): Promise<void>;
}
