import type { Client } from "../api.ts";

type CampaignStory = Awaited<ReturnType<Client["campaigns"]["getCampaignStory"]>>["data"]["data"];

/** GET /campaigns/:id/story, or what else has its columns: in typed arrays, say. */
export type StoryColumns = Pick<CampaignStory, "startsAt" | "contacts" | "kinds" | "reasons"> & {
  readonly columns: {
    readonly [Name in keyof CampaignStory["columns"]]: ArrayLike<CampaignStory["columns"][Name][number]>;
  };
  /** Left out by a service from before there were opt-outs. */
  readonly optedOut?: ArrayLike<number>;
};

/** Statuses of contacts; `StoryMoment.contacts` has indexes in it. */
export const STORY_STATUSES = [
  "pending",
  "dialing",
  "waiting_retry",
  "succeeded",
  "failed",
  "skipped",
] as const;
/** In `StoryMoment.contacts`: the contact did not exist yet. */
export const NOT_THERE = 255;

const [PENDING, DIALING, WAITING, SUCCEEDED, FAILED, SKIPPED] = [0, 1, 2, 3, 4, 5] as const;

/**
 * A campaign at a moment: the counts of its record and of its statistics, and each contact. null
 * status: not created yet.
 */
export type StoryMoment = {
  readonly status: "PENDING" | "RUNNING" | "PAUSED" | "COMPLETED" | "CANCELLED" | null;
  readonly pauseReason: string | null;
  readonly totalContacts: number;
  /** By index in STORY_STATUSES; they add up to totalContacts. */
  readonly counts: readonly number[];
  /** Dials so far. */
  readonly attempts: number;
  readonly byEndReason: Readonly<Record<string, number>>;
  /** By index of the contact: an index in STORY_STATUSES, or NOT_THERE. */
  readonly contacts: Uint8Array;
  /** By index of the contact: when its next attempt is due, in ms since 1970; NaN: none. */
  readonly nextAttemptAt: Float64Array;
  /** Indexes of contacts that had asked on a call never to be called again. */
  readonly optedOut: ReadonlySet<number>;
  /** Indexes of contacts that wait for the call that they agreed on their last one. */
  readonly callbacks: ReadonlySet<number>;
};

/** A story with absolute times, computed once for many moments. */
export type Story = {
  readonly told: StoryColumns;
  /** When each row happened, in ms since 1970. */
  readonly times: Float64Array;
};

export function openStory(told: StoryColumns): Story {
  const times = new Float64Array(told.columns.at.length);
  let at = Date.parse(told.startsAt);
  for (let row = 0; row < times.length; row += 1) {
    at += told.columns.at[row] ?? 0;
    times[row] = at;
  }
  return { told, times };
}

type Folding = {
  status: StoryMoment["status"];
  pauseReason: string | null;
  /** Contacts that were sealed. */
  total: number;
  readonly reasonCounts: Float64Array;
  unknownCalls: number;
  readonly contacts: Uint8Array;
  readonly nextAttemptAt: Float64Array;
  readonly callbacks: Set<number>;
};

/** A row; `reason` is an index in `reasons`, `value` as in the columns. */
type Row = {
  readonly at: number;
  readonly contact: number;
  readonly reason: number;
  readonly value: number | null;
};
type Step = (state: Folding, row: Row, told: StoryColumns) => void;

/**
 * The campaign after every event that had happened by `at` (ms since 1970), whatever is between them: the
 * same as the service's answer with `?at=`.
 */
export function foldStory(story: Story, at: number): StoryMoment {
  const { told, times } = story;
  const { kind, contact, reason, value } = told.columns;
  const steps = told.kinds.map((name) => STEPS[name]);
  const created = told.kinds.indexOf("CampaignCreated");
  const state: Folding = {
    status: null,
    pauseReason: null,
    total: 0,
    reasonCounts: new Float64Array(told.reasons.length),
    unknownCalls: 0,
    contacts: new Uint8Array(told.contacts).fill(NOT_THERE),
    nextAttemptAt: new Float64Array(told.contacts).fill(Number.NaN),
    callbacks: new Set(),
  };
  // One object for all rows: a slider needs hundreds of moments of tens of thousands of rows.
  const row: { -readonly [Name in keyof Row]: Row[Name] } = { at: 0, contact: -1, reason: -1, value: null };
  for (let index = 0; index < times.length; index += 1) {
    const time = times[index] ?? 0;
    if (time > at) continue;
    const step = steps[kind[index] ?? -1];
    if (step === undefined || (state.status === null && kind[index] !== created)) continue;
    row.at = time;
    row.contact = contact[index] ?? -1;
    row.reason = reason[index] ?? -1;
    row.value = value[index] ?? null;
    step(state, row, told);
  }
  return momentOf(state, told, optedOutBy(story, at));
}

function optedOutBy({ told, times }: Story, at: number): ReadonlySet<number> {
  const rows = told.optedOut ?? [];
  const contacts = new Set<number>();
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index] ?? -1;
    const contact = told.columns.contact[row] ?? -1;
    if (contact >= 0 && (times[row] ?? Number.NaN) <= at) contacts.add(contact);
  }
  return contacts;
}

const STEPS: Readonly<Record<string, Step>> = {
  CampaignCreated: (state, { value }) => {
    state.status = "PENDING";
    seal(state, value ?? 0);
  },
  ContactsAdded: (state, { value }) => seal(state, value ?? 0),
  CampaignStarted: (state) => {
    state.status = "RUNNING";
  },
  CampaignPaused: (state, { reason }, { reasons }) => {
    state.status = "PAUSED";
    state.pauseReason = reasons[reason] ?? null;
  },
  CampaignResumed: (state) => unpaused(state, "RUNNING"),
  CampaignCompleted: (state) => unpaused(state, "COMPLETED"),
  CampaignCancelled: (state) => {
    unpaused(state, "CANCELLED");
    for (let place = 0; place < state.total; place += 1) {
      const status = state.contacts[place];
      if (status === PENDING) stands(state, place, SKIPPED, Number.NaN);
      if (status === WAITING) stands(state, place, FAILED, Number.NaN);
    }
  },
  ContactDialed: (state, { contact }) => stands(state, contact, DIALING, Number.NaN),
  ContactSucceeded: (state, { contact, reason }) => {
    ended(state, reason);
    stands(state, contact, SUCCEEDED, Number.NaN);
  },
  ContactCallbackScheduled: (state, { at, contact, reason, value }) => {
    ended(state, reason);
    stands(state, contact, WAITING, at + (value ?? 0));
    if (contact >= 0) state.callbacks.add(contact);
  },
  ContactAttemptFailed: (state, { at, contact, reason, value }) => {
    ended(state, reason);
    if (value === null) stands(state, contact, FAILED, Number.NaN);
    else stands(state, contact, WAITING, at + value);
  },
  ContactSkipped: (state, { contact, reason, value }, { reasons }) => {
    if (value !== null) state.unknownCalls += 1;
    const outcome = reasons[reason];
    if (outcome === "skipped") stands(state, contact, SKIPPED, Number.NaN);
    if (outcome === "failed") stands(state, contact, FAILED, Number.NaN);
  },
};

function seal(state: Folding, count: number): void {
  state.contacts.fill(PENDING, state.total, state.total + count);
  state.total += count;
}

function unpaused(state: Folding, status: StoryMoment["status"]): void {
  state.status = status;
  state.pauseReason = null;
}

function stands(state: Folding, place: number, status: number, nextAttemptAt: number): void {
  if (place < 0) return;
  state.contacts[place] = status;
  state.nextAttemptAt[place] = nextAttemptAt;
  if (state.callbacks.size > 0) state.callbacks.delete(place);
}

function ended(state: Folding, reason: number): void {
  if (reason >= 0) state.reasonCounts[reason] = (state.reasonCounts[reason] ?? 0) + 1;
}

const UNKNOWN_CALL = "outcome_unknown";

function momentOf(state: Folding, { reasons }: StoryColumns, optedOut: ReadonlySet<number>): StoryMoment {
  const counts = STORY_STATUSES.map(() => 0);
  for (const status of state.contacts) if (status !== NOT_THERE) counts[status] = (counts[status] ?? 0) + 1;
  const byEndReason: Record<string, number> = {};
  reasons.forEach((reason, place) => {
    const count = state.reasonCounts[place] ?? 0;
    if (count > 0) byEndReason[reason] = count;
  });
  if (state.unknownCalls > 0)
    byEndReason[UNKNOWN_CALL] = (byEndReason[UNKNOWN_CALL] ?? 0) + state.unknownCalls;
  const endedAttempts = Object.values(byEndReason).reduce((sum, count) => sum + count, 0);
  const { status, pauseReason, total: totalContacts, contacts, nextAttemptAt, callbacks } = state;
  return {
    status,
    pauseReason,
    totalContacts,
    counts,
    attempts: endedAttempts + (counts[DIALING] ?? 0),
    byEndReason,
    contacts,
    nextAttemptAt,
    optedOut,
    callbacks,
  };
}
