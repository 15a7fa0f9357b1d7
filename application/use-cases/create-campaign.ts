import type { EndReason } from "../../domain/call/end-reason.ts";
import type { CallWindow, RejectedContact, RejectedContacts } from "../../domain/campaign/events.ts";
import type { CampaignId } from "../../domain/shared/ids.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import type { ContactInput, DuplicateContacts } from "./screen-contacts.ts";

/** Checked for shape, ranges, time zones and the window rule; references are judged here. */
export type CreateCampaignRequest = {
  /** The id that the Idempotency-Key row holds; null without a key. */
  readonly reservedCampaignId: CampaignId | null;
  readonly name: string;
  readonly phoneNumberId: string;
  readonly assistantId: string;
  readonly squadId: string | null;
  readonly contacts: readonly ContactInput[];
  /** Rows that the CSV reader refused; they are counted and reported with those refused here. */
  readonly refusedRows: readonly RejectedContact[];
  /** Keeps the first of each number and rejects the others as `duplicate`. */
  readonly skipDuplicates: boolean;
  /** Templates as given. */
  readonly greetingMessage: string | null;
  readonly specialInstructions: string | null;
  readonly metadata: JsonObject;
  readonly maxConcurrentCalls: number | null;
  readonly maxCallsPerSecond: number | null;
  readonly maxRetries: number | null;
  readonly retryIntervalMins: number | null;
  /** null: every end reason that the table says yes to. */
  readonly retryOn: readonly EndReason[] | null;
  /** 10..120; null: 60. */
  readonly ringTimeoutSeconds: number | null;
  readonly timezone: string;
  readonly window: CallWindow | null;
};

export type CampaignCreatedAnswer = {
  readonly campaignId: CampaignId;
  readonly totalContacts: number;
  readonly rejectedContacts: RejectedContacts;
  readonly duplicateContacts: DuplicateContacts;
};
