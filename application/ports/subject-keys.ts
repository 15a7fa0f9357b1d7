/** The owner of personal texts in the log: the id of a call, or of a campaign for its contacts. */
export type Subject = string;

/**
 * erased: its texts are gone for good. unusable: the key exists but cannot be decrypted
 * (another SECRETS_KEY).
 */
export type SubjectKey =
  | { readonly kind: "open"; readonly key: Uint8Array }
  | { readonly kind: "erased" }
  | { readonly kind: "unusable" };

/**
 * Keys that encrypt texts in the log: 32 random bytes for each subject, stored outside of the log before
 * anything is encrypted with them.
 */
export interface SubjectKeys {
  /**
   * The existing keys of these subjects, with one query for all that are not cached. A subject without a
   * key is missing in the answer; if the log has encrypted texts of it, that is damage. Rejects when the
   * store is unavailable.
   */
  of(subjects: readonly Subject[]): Promise<ReadonlyMap<Subject, SubjectKey>>;
}

/** Texts cannot be encrypted; the same append fails again. */
export class SubjectKeyError extends Error {
  override readonly name = "SubjectKeyError";
}
