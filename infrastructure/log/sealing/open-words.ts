import type { StoredEvent } from "../../../application/ports/event-store.ts";
import type { Subject, SubjectKey } from "../../../application/ports/subject-keys.ts";
import type { JsonObject, JsonValue } from "../../../domain/shared/json.ts";
import type { SubjectField } from "../stored/stored-type.ts";
import { unseal } from "./seal.ts";
import { hasWords, putWords, takeWords, type WordPath } from "./words.ts";

export type SealedFields = {
  /** Fields with personal texts. */
  readonly paths: readonly WordPath[];
  readonly subject: SubjectField;
};

export type Opened =
  | { readonly ok: true; readonly data: JsonObject }
  | { readonly ok: false; readonly reason: string /** Without any texts. */; readonly data: JsonObject };

/** The subject of an event's texts; null: none is named. */
export function subjectOf(data: JsonObject, { subject: field }: SealedFields): Subject | null {
  const subject = data[field];
  return typeof subject === "string" ? subject : null;
}

/**
 * Whether keys are needed: the event has encrypted texts, or plain ones of an older release that may
 * have been erased since.
 */
export function holdsWords(data: JsonObject, { paths }: SealedFields): boolean {
  return data["sealed"] !== undefined || hasWords(data, paths);
}

/**
 * The data with its decrypted texts and without the ciphertext. Texts of an erased subject are null (or
 * absent), also those that an older release stored unencrypted. A ciphertext that cannot be decrypted is
 * damage: it was forged, cut or moved, or its key is another one.
 */
export function openWords(
  { id: eventId, type, data }: StoredEvent,
  fields: SealedFields,
  keys: ReadonlyMap<Subject, SubjectKey>,
): Opened {
  const { paths } = fields;
  const subject = subjectOf(data, fields);
  const key = subject === null ? undefined : keys.get(subject);
  const isErased = key?.kind === "erased";
  if (data["sealed"] === undefined && !isErased) return { ok: true, data };
  const { sealed, ...open } = data;
  if (isErased) return { ok: true, data: takeWords(open, paths).rest };
  const refuse = (reason: string): Opened => ({ ok: false, reason, data: takeWords(open, paths).rest });
  if (subject === null) return refuse("sealed words of nobody");
  if (key === undefined) return refuse(`no key of ${subject}`);
  if (key.kind === "unusable") return refuse(`the key of ${subject} does not open with this SECRETS_KEY`);
  const text = typeof sealed === "string" ? unseal(key.key, { subject, eventId, type }, sealed) : null;
  if (text === null) return refuse(`the sealed words of ${subject} do not open`);
  putWords(open, paths, wordsIn(text));
  return { ok: true, data: open };
}

/** The tag proves that we wrote it. */
function wordsIn(text: string): JsonObject {
  const words: JsonValue = JSON.parse(text);
  return words as JsonObject;
}
