/** Secrets at rest. What is sealed for one context (for example an owner's id and a purpose) opens only in that context. */
export interface SecretBox {
  seal(plain: string, context: string): Uint8Array;
  /** Throws when the bytes were changed, belong to another context, or were sealed with another key. */
  open(sealed: Uint8Array, context: string): string;
}
