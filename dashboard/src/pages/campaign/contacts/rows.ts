import { NOT_THERE, type Story, type StoryMoment } from "../../../../../client/story/fold-story.ts";
import type { ContactRecord } from "../../../../../contract/contact.ts";
import type { ContactOutcome } from "../../../../../contract/outcome.ts";
import { type ContactOutcomes, isBrought } from "../outcomes/wanted.ts";
import { CALLBACK, type ContactState, OPTED_OUT, stateAt } from "../states.ts";
import type { Attempts } from "../story/fold-attempts.ts";

/** Who is held by the owner's policy, by id of the contact. */
export type Holds = ReadonlyMap<string, NonNullable<ContactRecord["hold"]>>;

/** A contact at the selected moment. */
export type ContactRow = {
  readonly contact: ContactRecord;
  readonly state: ContactState;
  /** Its state at the A-mark, if it was another one; null: it did not exist yet. */
  readonly before: ContactState | null | undefined;
  readonly attempts: number;
  readonly lastEnd: string | null;
  /** In ms since 1970. */
  readonly nextAttemptAt: number | null;
  /** It is called again as soon as there is a line for it. */
  readonly isDue: boolean;
  /** Local zone of the call that it agreed on its last one; null: it waits for no such call. */
  readonly callbackZone: string | null;
  /** What holds it by the owner's policy; null: nothing, or of the past nothing is said. */
  readonly hold: NonNullable<ContactRecord["hold"]> | null;
  /** By then it had asked on a call never to be called again. */
  readonly optedOut: boolean;
  /** What its last answered call had brought home by then; undefined: nothing is known. */
  readonly outcome: NonNullable<ContactOutcome> | undefined;
};

export type ContactFilter = {
  readonly status: string | undefined;
  readonly q: string | undefined;
  /** What they brought home: `success=true`. */
  readonly wanted?: string | undefined;
  readonly brought?: ContactOutcomes | null;
};

/**
 * Indexes of the shown contacts, in the order of import; name and number can be searched only
 * for loaded contacts.
 */
export function placesOf(
  contacts: readonly ContactRecord[],
  moment: StoryMoment,
  since: StoryMoment | null,
  { status, q, wanted, brought }: ContactFilter,
): number[] {
  const matches = matcher(q);
  const places: number[] = [];
  moment.contacts.forEach((state, place) => {
    if (state === NOT_THERE || !isChosen(status, moment, place)) return;
    if (since !== null && since.contacts[place] === state) return;
    const contact = contacts[place];
    if (wanted !== undefined && !isBrought(wanted, brought?.get(contact?.id ?? ""))) return;
    if (matches === null || (contact !== undefined && matches(contact))) places.push(place);
  });
  return places;
}

function isChosen(status: string | undefined, moment: StoryMoment, place: number): boolean {
  if (status === undefined) return true;
  if (status === OPTED_OUT) return moment.optedOut.has(place);
  return status === CALLBACK ? moment.callbacks.has(place) : stateAt(moment.contacts[place]) === status;
}

/** Digits match any part of a number, other text any part of a name. null: all match. */
function matcher(q: string | undefined): ((contact: ContactRecord) => boolean) | null {
  const text = (q ?? "").trim().toLocaleLowerCase();
  if (text === "") return null;
  const digits = /^[+\d\s().-]+$/.test(text) ? text.replaceAll(/\D/g, "") : "";
  return ({ name, phoneNumber }) =>
    (digits !== "" && phoneNumber.includes(digits)) || name?.toLocaleLowerCase().includes(text) === true;
}

type Moments = {
  readonly story: Story;
  readonly moment: StoryMoment;
  readonly since: StoryMoment | null;
  readonly attempts: Attempts;
  /** Time of `moment`, in ms since 1970. */
  readonly at: number;
  /** The campaign's, of whoever has none of their own. */
  readonly timezone: string;
  readonly brought?: ContactOutcomes | null;
  readonly holds: Holds;
};

/** Whether both rows look the same. */
export const isSameRow = (one: ContactRow, other: ContactRow): boolean =>
  one.contact === other.contact &&
  one.state === other.state &&
  one.before === other.before &&
  one.attempts === other.attempts &&
  one.lastEnd === other.lastEnd &&
  one.nextAttemptAt === other.nextAttemptAt &&
  one.isDue === other.isDue &&
  one.callbackZone === other.callbackZone &&
  one.hold === other.hold &&
  one.optedOut === other.optedOut &&
  one.outcome === other.outcome;

export function rowAt(
  contact: ContactRecord,
  place: number,
  { story, moment, since, attempts, at, timezone, brought, holds }: Moments,
): ContactRow {
  const state = moment.contacts[place];
  const next = moment.nextAttemptAt[place] ?? Number.NaN;
  const isOther = since !== null && since.contacts[place] !== state;
  return {
    contact,
    state: stateAt(state) ?? "pending",
    before: isOther ? stateAt(since.contacts[place]) : undefined,
    attempts: attempts.counts[place] ?? 0,
    lastEnd: story.told.reasons[attempts.ends[place] ?? -1] ?? null,
    nextAttemptAt: Number.isNaN(next) ? null : next,
    isDue: next <= at,
    callbackZone: moment.callbacks.has(place) ? (contact.timezone ?? timezone) : null,
    hold: holds.get(contact.id) ?? null,
    optedOut: moment.optedOut.has(place),
    outcome: brought?.get(contact.id),
  };
}
