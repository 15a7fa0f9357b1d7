import type { EligibilityAnswer } from "../../domain/policy/eligibility-answer.ts";
import type { EligibilityCheck } from "../../domain/policy/policy.ts";
import type { CampaignId, ContactId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { WebhookUrlRefusal } from "./webhook-settings.ts";

/** What an address is asked before a dial. Of a single call: no campaign, contact, name, custom data. */
export type EligibilityQuestion = {
  readonly eventId: string;
  readonly occurredAt: Instant;
  readonly phoneNumber: PhoneNumber;
  readonly name: string | null;
  readonly customData: JsonObject | null;
  readonly externalId: string | null;
  readonly campaignId: CampaignId | null;
  readonly contactId: ContactId | null;
  readonly attempt: number;
  readonly metadata: JsonObject;
};

export type EligibilityReply = {
  /** The body of the question. */
  readonly sent: string;
  readonly answer: EligibilityAnswer;
  /** From the question to the end of the answer. */
  readonly millis: number;
  /** null: no answer came. */
  readonly status: number | null;
  /** The answer as it came, as far as it was read; null: none. */
  readonly text: string | null;
};

/** Asks owners' addresses whether somebody may be called (docs/permission.md, "Asked before each dial"). */
export interface Eligibility {
  /** Within the check's time. Never rejects: every end is an answer. */
  ask(owner: OwnerId, check: EligibilityCheck, question: EligibilityQuestion): Promise<EligibilityReply>;
  /** Whether it may be an address of an owner: as it is stored, or why not. */
  judgeUrl(url: string): Promise<{ readonly url: string } | { readonly refused: WebhookUrlRefusal }>;
}
