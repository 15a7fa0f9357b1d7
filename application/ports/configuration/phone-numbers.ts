import type { PhoneNumberRecord } from "../../../contract/phone-number.ts";
import type { OwnerId, PhoneNumberId } from "../../../domain/shared/ids.ts";
import type { Page, PageRequest } from "../queries/pages.ts";
import type { Made } from "./saved.ts";

export type PhoneNumberDraft = Omit<PhoneNumberRecord, "id" | "createdAt" | "updatedAt">;

/** Numbers from which an owner calls. Lists: newest first. */
export interface PhoneNumbers {
  create(owner: OwnerId, id: PhoneNumberId, draft: PhoneNumberDraft): Promise<Made<PhoneNumberRecord>>;
  get(owner: OwnerId, id: PhoneNumberId): Promise<PhoneNumberRecord | null>;
  list(owner: OwnerId, page: PageRequest<PhoneNumberId>): Promise<Page<PhoneNumberRecord, PhoneNumberId>>;
  /** null: unknown. */
  change(
    owner: OwnerId,
    id: PhoneNumberId,
    changes: Partial<PhoneNumberDraft>,
  ): Promise<PhoneNumberRecord | null>;
  /** False: unknown. */
  delete(owner: OwnerId, id: PhoneNumberId): Promise<boolean>;
}
