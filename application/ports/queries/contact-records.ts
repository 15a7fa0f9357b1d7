import type { EndReason } from "../../../domain/call/end-reason.ts";
import type { CallStatus } from "../../../domain/call/events.ts";
import type { ContactStatus } from "../../../domain/campaign/events.ts";
import type { CallId, ContactId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import type { JsonObject } from "../../../domain/shared/json.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";

export type ContactAttemptRecord = {
  readonly attempt: number;
  readonly callId: CallId;
  readonly startedAt: Instant;
  readonly endedAt: Instant | null;
  readonly status: CallStatus;
  readonly endReason: EndReason | null;
  /** From answer to end; null before the end, and when nobody answered. */
  readonly durationSeconds: number | null;
  /** Credits; null before the end, and for an older attempt without a stored cost. */
  readonly cost: number | null;
};

export type ContactRecord = {
  readonly id: ContactId;
  readonly phoneNumber: PhoneNumber;
  readonly name: string | null;
  readonly customData: JsonObject;
  readonly timezone: string | null;
  readonly externalId: string | null;
  readonly status: ContactStatus;
  readonly attempts: readonly ContactAttemptRecord[];
  readonly nextAttemptAt: Instant | null;
  readonly createdAt: Instant;
};

/**
 * All given conditions must hold; `endReason`: of the last attempt; `text`: digits of the number, or the
 * beginning of a word of the name.
 */
export type ContactFilter = {
  readonly status?: ContactStatus;
  readonly endReason?: EndReason;
  readonly text?: string;
};
