import type { Story } from "../../../../../client/story/fold-story.ts";

/** Number of contacts in each state at the end of each slice of time. */
export type Series = {
  /** By index in STORY_STATUSES. */
  readonly counts: readonly Uint32Array[];
  /** The most contacts of a slice to whom something happened: the height of the chart. */
  readonly most: number;
};

const STATES = 6;
const [PENDING, DIALING, WAITING, SUCCEEDED, FAILED, SKIPPED] = [0, 1, 2, 3, 4, 5] as const;
const ABSENT = 255;

/**
 * The whole life in one pass over the events, for the chart. Events that are out of order by some
 * milliseconds count in the slice of the event before.
 */
export function seriesOf({ told, times }: Story, from: number, until: number, slices: number): Series {
  const counts = Array.from({ length: STATES }, () => new Uint32Array(slices));
  const standing = new Int32Array(STATES);
  const states = new Uint8Array(told.contacts).fill(ABSENT);
  const stands = (place: number, state: number) => {
    if (place < 0) return;
    const before = states[place] ?? ABSENT;
    if (before !== ABSENT) standing[before] = (standing[before] ?? 0) - 1;
    standing[state] = (standing[state] ?? 0) + 1;
    states[place] = state;
  };
  const span = Math.max(1, until - from);
  let slice = 0;
  let sealed = 0;
  const finish = (end: number) => {
    for (; slice < end; slice += 1)
      for (let state = 0; state < STATES; state += 1) {
        const column = counts[state];
        if (column !== undefined) column[slice] = standing[state] ?? 0;
      }
  };
  const { kind, contact, reason, value } = told.columns;
  for (let row = 0; row < times.length; row += 1) {
    finish(Math.min(slices, Math.floor((((times[row] ?? 0) - from) / span) * slices)));
    const place = contact[row] ?? -1;
    switch (told.kinds[kind[row] ?? -1]) {
      case "CampaignCreated":
      case "ContactsAdded":
        for (const end = sealed + (value[row] ?? 0); sealed < end; sealed += 1) stands(sealed, PENDING);
        break;
      case "ContactDialed":
        stands(place, DIALING);
        break;
      case "ContactSucceeded":
        stands(place, SUCCEEDED);
        break;
      case "ContactCallbackScheduled":
        stands(place, WAITING);
        break;
      case "ContactAttemptFailed":
        stands(place, value[row] === null ? FAILED : WAITING);
        break;
      case "ContactSkipped":
        if (told.reasons[reason[row] ?? -1] === "skipped") stands(place, SKIPPED);
        if (told.reasons[reason[row] ?? -1] === "failed") stands(place, FAILED);
        break;
      case "CampaignCancelled":
        for (let each = 0; each < sealed; each += 1) {
          if (states[each] === PENDING) stands(each, SKIPPED);
          if (states[each] === WAITING) stands(each, FAILED);
        }
        break;
      default:
        break;
    }
  }
  finish(slices);
  return { counts, most: Math.max(1, ...happened(counts, slices)) };
}

/** Contacts to whom something happened by the end of each slice. */
function happened(counts: readonly Uint32Array[], slices: number): Uint32Array {
  const sum = new Uint32Array(slices);
  counts.forEach((column, state) => {
    if (state !== PENDING)
      for (const [slice, count] of column.entries()) sum[slice] = (sum[slice] ?? 0) + count;
  });
  return sum;
}

/** When calling began, in ms since 1970; null: not yet. */
export function startOf({ told, times }: Story): number | null {
  const started = told.kinds.indexOf("CampaignStarted");
  for (let row = 0; started >= 0 && row < times.length; row += 1)
    if (told.columns.kind[row] === started) return times[row] ?? null;
  return null;
}

const TURNS = new Set([
  "CampaignStarted",
  "CampaignPaused",
  "CampaignResumed",
  "CampaignSettingsChanged",
  "CampaignCancelled",
  "CampaignCompleted",
  "ContactsAdded",
]);

/** Times of changes of the campaign itself: start, pauses and others, in order. */
export function turningPoints({ told, times }: Story): number[] {
  const turns = told.kinds.map((kind) => TURNS.has(kind));
  const found: number[] = [];
  for (let row = 0; row < times.length; row += 1)
    if (turns[told.columns.kind[row] ?? -1] === true) found.push(times[row] ?? 0);
  return found;
}
