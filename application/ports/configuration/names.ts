import type { AssistantId, OwnerId, PhoneNumberId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";

export type NamedAssistant = { readonly id: AssistantId; readonly name: string; readonly createdAt: Instant };
export type NamedNumber = {
  readonly id: PhoneNumberId;
  readonly phoneNumber: PhoneNumber;
  readonly label: string | null;
  readonly createdAt: Instant;
};

/** Names of an owner's records only. Newest first, at most 10,000. */
export interface Names {
  assistants(owner: OwnerId): Promise<readonly NamedAssistant[]>;
  phoneNumbers(owner: OwnerId): Promise<readonly NamedNumber[]>;
  /** Names of API keys of any owner, also revoked ones; unknown ids are left out. */
  apiKeys(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
