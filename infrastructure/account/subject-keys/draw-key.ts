import { randomBytes } from "node:crypto";
import type { SecretBox } from "../../../application/ports/secret-box.ts";
import type { Subject } from "../../../application/ports/subject-keys.ts";

const KEY_BYTES = 32;

/** A new key, and its stored form. */
export type DrawnKey<Of extends Subject = Subject> = {
  readonly subject: Of;
  readonly owner: string;
  readonly key: Uint8Array;
  /** In base64. */
  readonly sealed: string;
};

export function drawKey<Of extends Subject>(
  box: Pick<SecretBox, "seal">,
  subject: Of,
  owner: string,
): DrawnKey<Of> {
  const key = randomBytes(KEY_BYTES);
  const sealed = box.seal(key.toString("base64"), contextOf(subject));
  return { subject, owner, key, sealed: Buffer.from(sealed).toString("base64") };
}

/** null: it was encrypted with another SECRETS_KEY, or for another subject. */
export function openKey(box: SecretBox, subject: Subject, sealed: Uint8Array): Uint8Array | null {
  try {
    const key = Buffer.from(box.open(sealed, contextOf(subject)), "base64");
    return key.length === KEY_BYTES ? key : null;
  } catch {
    return null;
  }
}

function contextOf(subject: Subject): string {
  return `subject key ${subject}`;
}
