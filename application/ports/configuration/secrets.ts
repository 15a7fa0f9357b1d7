import type { OwnerId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import type { Page, PageRequest } from "../queries/pages.ts";

export type SecretRecord = { readonly name: string; readonly updatedAt: Instant };

/**
 * Values that tools refer to as `{{secrets.NAME}}`: written, never read back, encrypted at
 * rest. Lists: by name.
 */
export interface Secrets {
  put(owner: OwnerId, name: string, value: string): Promise<SecretRecord>;
  list(owner: OwnerId, page: PageRequest<string>): Promise<Page<SecretRecord, string>>;
  /** False: unknown. */
  delete(owner: OwnerId, name: string): Promise<boolean>;
}
