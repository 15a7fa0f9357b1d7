import type { Pace } from "../../../domain/campaign/progress.ts";
import type { CampaignId } from "../../../domain/shared/ids.ts";

/** Length of the measured calling time; times with nobody to call do not count. */
const SPAN_MILLIS = 5 * 60_000;
const MARK_EVERY_MILLIS = 10_000;
/** Less calling time than this is too little for an estimate. */
const LEAST_MILLIS = 5_000;

type Mark = { readonly calling: number; readonly done: number };
type Page = { seenAt: number; calling: number; readonly marks: Mark[] };

/** The progress of a campaign at one moment. */
export type Sight = {
  /** Monotonic clock. */
  readonly millis: number;
  /** Contacts that succeeded or failed for good. */
  readonly done: number;
  readonly isCalling: boolean;
};

export type PaceBook = {
  /**
   * Records the current progress; returns the pace of the last five minutes of calling, null while
   * fewer than 5 s are known.
   */
  readonly note: (campaignId: CampaignId, sight: Sight) => Pace | null;
  /** Forgets all others. */
  readonly keep: (campaignIds: ReadonlySet<CampaignId>) => void;
};

/** The pace of the campaigns of this process. After a takeover it starts anew. */
export function createPaceBook(): PaceBook {
  const pages = new Map<CampaignId, Page>();
  return {
    note: (campaignId, { millis, done, isCalling }) => {
      const page = pages.get(campaignId) ?? { seenAt: millis, calling: 0, marks: [] };
      pages.set(campaignId, page);
      if (isCalling) page.calling += millis - page.seenAt;
      page.seenAt = millis;
      return paceOf(page, done);
    },
    keep: (campaignIds) => {
      for (const campaignId of pages.keys()) if (!campaignIds.has(campaignId)) pages.delete(campaignId);
    },
  };
}

function paceOf({ calling, marks }: Page, done: number): Pace | null {
  const last = marks.at(-1);
  if (last === undefined || calling - last.calling >= MARK_EVERY_MILLIS) marks.push({ calling, done });
  while (marks[1] !== undefined && calling - marks[1].calling >= SPAN_MILLIS) marks.shift();
  const first = marks[0] ?? { calling, done };
  const millis = calling - first.calling;
  return millis < LEAST_MILLIS ? null : { contacts: done - first.done, millis };
}
