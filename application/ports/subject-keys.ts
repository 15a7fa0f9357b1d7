/** Whom personal words belong to: a call's id. */
export type Subject = string;

/** erased: its words are gone for good. unusable: there is a key, but it does not open (another SECRETS_KEY). */
export type SubjectKey =
  | { readonly kind: "open"; readonly key: Uint8Array }
  | { readonly kind: "erased" }
  | { readonly kind: "unusable" };

/** The keys that words in the log are sealed with: 32 random bytes a subject, stored before anything is sealed with them, outside the log. */
export interface SubjectKeys {
  /**
   * Those of these subjects that have one, with one question for all that are not at hand. A subject that is missing in the answer has none: where
   * something is sealed for it, that is damage. Rejects when the store is away.
   */
  of(subjects: readonly Subject[]): Promise<ReadonlyMap<Subject, SubjectKey>>;
}

/** Words cannot be sealed: the same append meets it again. */
export class SubjectKeyError extends Error {
  override readonly name = "SubjectKeyError";
}
