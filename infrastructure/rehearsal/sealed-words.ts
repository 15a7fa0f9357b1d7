import type { SubjectKey } from "../../application/ports/subject-keys.ts";
import type { RehearsalId } from "../../domain/shared/ids.ts";
import { seal, unseal } from "../log/sealing/seal.ts";

/** In base64. `place`: column and row, so that no word opens in another's place. */
export function sealWords(key: Uint8Array, subject: RehearsalId, place: string, words: object): string {
  return seal(key, { subject, eventId: place, type: TYPE }, JSON.stringify(words));
}

/** null: erased, or its key is missing or another one. The tag proves that the words are those sealed. */
export function openWords<Words>(
  key: SubjectKey | undefined,
  subject: RehearsalId,
  place: string,
  sealed: string | null,
): Words | null {
  if (sealed === null || key?.kind !== "open") return null;
  const text = unseal(key.key, { subject, eventId: place, type: TYPE }, sealed);
  return text === null ? null : (JSON.parse(text) as Words);
}

const TYPE = "rehearsal";
