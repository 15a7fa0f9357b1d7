/**
 * Encrypts secrets at rest. A secret encrypted for one context (for example an owner's id and a purpose) can
 * be decrypted only for that context.
 */
export interface SecretBox {
  seal(plain: string, context: string): Uint8Array;
  /** Throws when the bytes were changed, belong to another context, or were encrypted with another key. */
  open(sealed: Uint8Array, context: string): string;
}
