import type { ConnectionId, OwnerId, PhoneNumberId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import type { Page, PageRequest } from "../queries/pages.ts";
import type { Made } from "./saved.ts";

export type PhoneNumberDraft = {
  readonly phoneNumber: PhoneNumber;
  readonly label: string | null;
  readonly active: boolean;
  readonly carrier: string | null;
  /** The connection that it uses; null: the installation's default. */
  readonly connectionId: ConnectionId | null;
  /** Other programs call from it as well, so unknown calls from it prove nothing (docs/operation.md). */
  readonly shared: boolean;
};

export type PhoneNumberRecord = PhoneNumberDraft & {
  readonly id: PhoneNumberId;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

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
