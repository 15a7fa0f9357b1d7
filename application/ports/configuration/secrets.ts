import type { SecretRecord } from "../../../contract/secret.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import type { Page, PageRequest } from "../queries/pages.ts";

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
