const ON_ITS_WAY = new Set(["pending", "sending"]);
const SOON_MILLIS = 1_000;
const LATER_MILLIS = 5_000;

/** Deliveries are no events of the feed, so the list is asked for again: soon while one is on its way. */
export const askedAgainIn = (rows: readonly { readonly status: string }[]): number =>
  rows.some(({ status }) => ON_ITS_WAY.has(status)) ? SOON_MILLIS : LATER_MILLIS;
