import type { ContactId } from "../../../domain/shared/ids.ts";
import type { Asked } from "../../policy/asking.ts";
import { createRecentMap, type RecentMap } from "../../recent-map.ts";

/** As many as a campaign can have. */
const CONTACTS_KEPT = 10_000;

/** The last question about a contact. An answer is for one attempt: a used one is gone. */
export type Question = {
  readonly url: string;
  readonly attempt: number;
  /** On the monotonic clock. */
  askedMillis: number;
  isUnderWay: boolean;
  /** null: none came yet, or it has been followed. */
  asked: Asked | null;
  /** Questions in a row without an answer that counts, this one included. */
  failures: number;
};

export type Questions = RecentMap<ContactId, Question>;

export function createQuestions(): Questions {
  return createRecentMap(CONTACTS_KEPT, ({ isUnderWay }) => !isUnderWay);
}
