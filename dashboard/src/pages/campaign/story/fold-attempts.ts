import type { Story } from "../../../../../client/story/fold-story.ts";

/**
 * By index of the contact: attempts so far, and how the last one ended (an index in the story's
 * reasons, -1: not yet).
 */
export type Attempts = { readonly counts: Uint16Array; readonly ends: Int32Array };

export function foldAttempts({ told, times }: Story, at: number): Attempts {
  const counts = new Uint16Array(told.contacts);
  const ends = new Int32Array(told.contacts).fill(-1);
  const dialed = told.kinds.indexOf("ContactDialed");
  const succeeded = told.kinds.indexOf("ContactSucceeded");
  const agreed = told.kinds.indexOf("ContactCallbackScheduled");
  const failed = told.kinds.indexOf("ContactAttemptFailed");
  const { kind, contact, reason } = told.columns;
  for (let row = 0; row < times.length; row += 1) {
    if ((times[row] ?? 0) > at) continue;
    const place = contact[row] ?? -1;
    if (place < 0) continue;
    if (kind[row] === dialed) counts[place] = (counts[place] ?? 0) + 1;
    if (kind[row] === succeeded || kind[row] === agreed || kind[row] === failed)
      ends[place] = reason[row] ?? -1;
  }
  return { counts, ends };
}
