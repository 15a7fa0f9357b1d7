import { STORY_STATUSES } from "../../../../client/story/fold-story.ts";

export type ContactState = (typeof STORY_STATUSES)[number];

/** From the bottom of the time bar to its top; also the order of every list of states. */
export const STATE_ORDER: readonly ContactState[] = [
  "succeeded",
  "failed",
  "waiting_retry",
  "dialing",
  "pending",
  "skipped",
];

/** No state, but listed like one: those who asked on a call never to be called again. */
export const OPTED_OUT = "opted_out";

/** No state either: those of `waiting_retry` who agreed on a call when to be called again. */
export const CALLBACK = "callback";

/** Nothing happened to them yet: the chart leaves their place blank. */
export const TO_COME: ContactState = "pending";

export const stateAt = (place: number | undefined): ContactState | null =>
  STORY_STATUSES[place ?? -1] ?? null;
export const placeOfState = (state: ContactState): number => STORY_STATUSES.indexOf(state);
