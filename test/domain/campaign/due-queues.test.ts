import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  attemptsOf,
  chunkRevisionOf,
  consentOf,
  dueMillisOf,
  idOf,
  numberOf,
  ownZoneOf,
  statusOf,
} from "../../../domain/campaign/contacts/contact-row.ts";
import { contactCount, rowOf } from "../../../domain/campaign/contacts/contact-table.ts";
import {
  type DueQueues,
  dueRowsInOrder,
  joinQueue,
  leaveQueue,
  queuesToCall,
} from "../../../domain/campaign/contacts/due-queues.ts";
import { campaignDecider } from "../../../domain/campaign/decider.ts";
import {
  countDue,
  type DueContact,
  dueContacts,
  isSomebodyHeld,
  nextDueAt,
  oldestDueSince,
  timesOfContact,
} from "../../../domain/campaign/due-contacts.ts";
import type { CampaignEvent, ContactHeld } from "../../../domain/campaign/events.ts";
import type { CampaignState } from "../../../domain/campaign/state.ts";
import { hoursNextOpening } from "../../../domain/policy/callable-hours.ts";
import { type CallableTimes, opensAt } from "../../../domain/policy/callable-times.ts";
import type { Policy, PolicyInForce } from "../../../domain/policy/policy.ts";
import type { CallWindow } from "../../../domain/shared/call-window.ts";
import { fold } from "../../../domain/shared/decider.ts";
import type { CallId, ContactId } from "../../../domain/shared/ids.ts";
import {
  earliest,
  type Instant,
  instantFromMillis,
  millisOf,
  plusMillis,
} from "../../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import { isWindowOpen, windowClosesAt } from "../../../domain/window/call-window.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../property-runs.ts";
import {
  callbackScheduled,
  campaignId,
  contact,
  dialed,
  failed,
  imported,
  paused,
  running,
  succeeded,
} from "./example-campaign.ts";

/** The night before clocks of Europe go back; those of Lord Howe went forward by half an hour weeks ago. */
const BEGIN: Instant = "2026-10-24T20:00:00.000Z";
const HOUR = 3_600_000;
const ZONES = [null, "Europe/Lisbon", "America/New_York", "Australia/Lord_Howe", "Mars/Olympus"];

const hours = (min: number, max: number) =>
  fc.integer({ min: min * 60, max: max * 60 }).map((minutes) => minutes * 60_000);
/** Of one zone, of several with the same rules, of far apart ones, of no country. */
const NUMBERS: readonly PhoneNumber[] = [
  "+905321234567",
  "+4915123456789",
  "+14155550100",
  "+80012345678",
  // Its zones are ten hours apart: from 16 to 1 o'clock is never in all of them.
  "+79161234567",
];
/** Often several with one number. */
const numbers = fc.oneof(fc.nat(NUMBERS.length - 1), fc.constant(1));
const newcomers = fc.array(fc.record({ zone: fc.nat(ZONES.length - 1), number: numbers }), {
  minLength: 1,
  maxLength: 9,
});
const windows = fc.constantFrom<CallWindow | null>(
  null,
  { start: 9, end: 18 },
  { start: 22, end: 3, endMinute: 40 },
  { start: 2, end: 3 },
  { start: 0, end: 0, days: [7] },
);

/** Each version is one step newer than the one before. */
const policies = fc
  .record({
    callableHours: fc.constantFrom(
      null,
      { start: 16, end: 1 },
      { start: 20, end: 10 },
      { start: 13, end: 4 },
    ),
    attemptsPerNumber: fc.constantFrom(null, { day: 2 }),
  })
  .map((rules): Policy => ({ ...rules, oneCallAtATime: true, exceptSingleCalls: false }));

/** What happens next, also what no rule would allow: the fold accepts every event in every state. */
type Move = (
  state: CampaignState,
  now: Instant,
  step: number,
  policy: PolicyInForce | null,
) => readonly CampaignEvent[];

const picked = <Item>(items: readonly Item[], pick: number) => items[pick % Math.max(1, items.length)];
const idAt = ({ contacts }: CampaignState, pick: number) =>
  idOf(contacts, pick % Math.max(1, contactCount(contacts))) ?? "ctc_none";

function dialOf({ contactId, phoneNumber }: Pick<DueContact, "contactId" | "phoneNumber">, callId: CallId) {
  const event = dialed(1);
  if (event.type !== "ContactDialed") throw new Error("no dial");
  return { ...event, data: { ...event.data, contactId, phoneNumber, callId } };
}

const dialsOfDue = fc.integer({ min: 1, max: 4 }).map(
  (limit): Move =>
    (state, now, step, policy) =>
      dueContacts(state, now, limit, policy).map((due, index) => dialOf(due, `call_${step}_${index}`)),
);
/** By the version in force, the one before it, or the next one. */
const holds = fc.tuple(fc.nat(), fc.option(hours(-3, 30), { freq: 4 }), fc.integer({ min: -1, max: 1 })).map(
  ([pick, length, versions]): Move =>
    (state, now, _step, policy) => [
      {
        type: "ContactHeld",
        data: {
          ...{ campaignId, at: now, contactId: idAt(state, pick), value: 2, limit: "2/day" },
          rule: length === null ? "oneCallAtATime" : "attemptsPerNumber",
          until: length === null ? null : plusMillis(now, length),
          heldBy: length === null ? "call_other" : null,
          policyVersion: (policy?.version ?? 0) + versions,
        },
      },
    ],
);
/** Whatever its state, but a number is in one call at a time: the campaign sees to that. */
const dialOfAnybody = fc.nat().map(
  (pick): Move =>
    (state, _now, step) => {
      const phoneNumber = numberOf(state.contacts, pick % Math.max(1, contactCount(state.contacts)));
      if (phoneNumber === undefined || state.liveNumbers.has(phoneNumber)) return [];
      return [dialOf({ contactId: idAt(state, pick), phoneNumber }, `call_${step}`)];
    },
);
const ends = fc
  .tuple(fc.nat(), fc.option(hours(-1, 20), { freq: 3 }), fc.constantFrom("done", "fails", "agrees"))
  .map(
    ([pick, pause, how]): Move =>
      (state, now) => {
        const callId = picked([...state.live.keys()], pick) ?? "call_none";
        const next = pause === null ? null : plusMillis(now, pause);
        const event =
          how === "done"
            ? succeeded(1)
            : how === "fails" || next === null
              ? failed(1, next)
              : callbackScheduled(1, next);
        return [{ ...event, data: { ...event.data, callId } } as CampaignEvent];
      },
  );
const skips = fc.tuple(fc.nat(), fc.constantFrom("skipped", "failed", "no_retry")).map(
  ([pick, outcome]): Move =>
    (state, at) => [
      {
        type: "ContactSkipped",
        data: { campaignId, at, contactId: idAt(state, pick), reason: "by_request", outcome },
      },
    ],
);
const additions = newcomers.map(
  (given): Move =>
    (state, at) => [
      imported(peopleOf(given, contactCount(state.contacts)), "imp_2"),
      {
        type: "ContactsAdded",
        data: { campaignId, at, importId: "imp_2", added: given.length, rejected: { count: 0, items: [] } },
      },
    ],
);
const changes = fc
  .record({ window: windows, timezone: fc.constantFrom("Europe/Istanbul", "Europe/Berlin") })
  .map(
    (to): Move =>
      (_state, at) => [{ type: "CampaignSettingsChanged", data: { campaignId, at, changes: to } }],
  );
const pauses = fc.constant<Move>((state, at) => [
  state.status === "RUNNING"
    ? paused("manual")
    : { type: "CampaignResumed", data: { campaignId, at, by: "api" } },
]);
const cancels = fc.constant<Move>((_state, at) => [
  { type: "CampaignCancelled", data: { campaignId, at, hangUpActiveCalls: false } },
]);

const steps = fc.array(
  fc.record({
    /** The clock, which may go back. */
    passed: hours(-3, 9),
    /** undefined: it stays. */
    policy: fc.option(policies, { freq: 3, nil: undefined }),
    /** Number that the runner leaves out; null: none. */
    leftOut: fc.option(fc.constantFrom(...NUMBERS)),
    move: fc.oneof(
      { weight: 25, arbitrary: dialsOfDue },
      { weight: 10, arbitrary: dialOfAnybody },
      { weight: 30, arbitrary: ends },
      { weight: 20, arbitrary: holds },
      { weight: 10, arbitrary: skips },
      { weight: 5, arbitrary: additions },
      { weight: 10, arbitrary: changes },
      { weight: 5, arbitrary: pauses },
      { weight: 1, arbitrary: cancels },
    ),
  }),
  { maxLength: 40, size: "max" },
);

function peopleOf(given: readonly { readonly zone: number; readonly number: number }[], from: number) {
  return given.map(({ zone, number }, index) =>
    contact(from + index, { timezone: ZONES[zone] ?? null, phoneNumber: NUMBERS[number] ?? "+1" }),
  );
}

function zoneName({ contacts, settings }: CampaignState, row: number): string {
  return ownZoneOf(contacts, row) ?? settings?.timezone ?? "";
}

function isOpen({ contacts }: CampaignState, row: number): boolean {
  return ["pending", "dialing", "waiting_retry"].includes(statusOf(contacts, row) ?? "");
}

/** Who asks, and what was said of contacts. */
type Asked = {
  readonly state: CampaignState;
  readonly now: Instant;
  readonly policy: PolicyInForce | null;
  readonly holds: ReadonlyMap<string, ContactHeld["data"]>;
  readonly leftOut: PhoneNumber | null;
};

function isLeftOut({ state, leftOut }: Asked, row: number): boolean {
  return leftOut !== null && numberOf(state.contacts, row) === leftOut;
}

/** The plain walk over the whole table. Of the holders of a number the first due one is called. */
function toCall(asked: Asked) {
  const { state } = asked;
  const agreed = [...state.contacts.callbacks]
    .filter(([row]) => isOpen(state, row))
    .toSorted(([a, { dueMillis: dueA }], [b, { dueMillis: dueB }]) => dueA - dueB || a - b);
  const isFree = (row: number) => {
    const number = numberOf(state.contacts, row);
    const first = agreed.find(([holder]) => numberOf(state.contacts, holder) === number)?.[0] ?? row;
    return first === row;
  };
  return everybodyToCall(asked).filter(({ row }) => isFree(row));
}

function everybodyToCall({ state, now, policy, holds }: Asked) {
  const { contacts } = state;
  return Array.from({ length: contactCount(contacts) }, (_, row) => row).flatMap((row) => {
    const status = statusOf(contacts, row);
    if (status !== "pending" && status !== "waiting_retry") return [];
    const due = status === "pending" ? Number.NEGATIVE_INFINITY : dueMillisOf(contacts, row);
    const hold = holds.get(idOf(contacts, row) ?? "");
    const stands = hold !== undefined && hold.policyVersion === (policy?.version ?? 0);
    const until = stands ? millisOf(hold.until ?? now) : 0;
    return [
      {
        ...{ row, due: Math.max(due, until > millisOf(now) ? until : due) },
        isWaiting: stands && (hold.until === null || until > millisOf(now)) && due <= millisOf(now),
        isCallback: contacts.callbackRows.has(row),
        timezone: zoneName(state, row),
        times: timesOfContact(state, row, policy),
      },
    ];
  });
}

/** Hours of the policy count only where they come within 14 days. */
function isOpenNow({ window, hours, zone }: CallableTimes, now: Instant): boolean {
  if (!isWindowOpen(zone, window, now)) return false;
  if (hours === null || hoursNextOpening(hours.zones, hours.window, now) === null) return true;
  return hours.zones.every((each) => isWindowOpen(each, hours.window, now));
}

function closing({ window, hours, zone }: CallableTimes, now: Instant): Instant | null {
  const isKnown = hours !== null && hoursNextOpening(hours.zones, hours.window, now) !== null;
  const ofHours = isKnown ? hours.zones.map((each) => windowClosesAt(each, hours.window, now)) : [];
  return earliest([windowClosesAt(zone, window, now), ...ofHours]);
}

function plainly(asked: Asked): readonly DueContact[] {
  const { state, now } = asked;
  const { contacts } = state;
  const taken = new Set(state.liveNumbers);
  return toCall(asked)
    .filter(({ due, times, row }) => due <= millisOf(now) && isOpenNow(times, now) && !isLeftOut(asked, row))
    .toSorted((a, b) => {
      if (a.isCallback !== b.isCallback) return a.isCallback ? -1 : 1;
      return a.due === b.due ? a.row - b.row : a.due < b.due ? -1 : 1;
    })
    .flatMap(({ row, timezone, times }) => {
      const [contactId, phoneNumber] = [idOf(contacts, row), numberOf(contacts, row)];
      if (contactId === undefined || phoneNumber === undefined || taken.has(phoneNumber)) return [];
      taken.add(phoneNumber);
      const windowCloses = closing(times, now);
      const chunkRevision = chunkRevisionOf(contacts, row);
      const ownTimezone = ownZoneOf(contacts, row);
      const attempt = attemptsOf(contacts, row) + 1;
      const when = { timezone, ownTimezone, windowClosesAt: windowCloses, attempt };
      return [{ contactId, phoneNumber, ...when, consent: consentOf(contacts, row), chunkRevision }];
    });
}

function plainlyNext(asked: Asked): Instant | null {
  return earliest(
    toCall(asked)
      .filter(({ row }) => !isLeftOut(asked, row))
      .map(({ due, times }) => opensAt(times, instantFromMillis(Math.max(due, millisOf(asked.now))))),
  );
}

function plainlyOldest(asked: Asked): Instant {
  const { now } = asked;
  const first = Math.min(...toCall(asked).map(({ due }) => due));
  return Number.isFinite(first) ? instantFromMillis(Math.max(first, millisOf(now))) : now;
}

/** The holds of a campaign: what was said last of a contact since its last status. */
function followed(
  holds: Map<string, ContactHeld["data"]>,
  state: CampaignState,
  { type, data }: CampaignEvent,
): void {
  const row = "callId" in data ? state.live.get(data.callId) : undefined;
  const contactId = "contactId" in data && type !== "ContactSucceeded" ? data.contactId : "";
  if (type === "ContactHeld") {
    const found = rowOf(state.contacts, data.contactId) ?? -1;
    if (["pending", "waiting_retry"].includes(statusOf(state.contacts, found) ?? ""))
      holds.set(contactId, data);
  } else if (type === "ContactDialed" || (type === "ContactSkipped" && data.outcome !== "no_retry"))
    holds.delete(contactId);
  else if (row !== undefined) holds.delete(idOf(state.contacts, row) ?? "");
  else if (type === "CampaignCancelled") holds.clear();
}

describe("the queues of a campaign", PROPERTY_TIMEOUT, () => {
  it("answer as the plain walk does, after any history, on any clock", () => {
    const property = fc.property(newcomers, windows, steps, (people, window, given) => {
      const state = fold(
        campaignDecider,
        campaignDecider.initialState(),
        running(peopleOf(people, 0), { window }),
      );
      let now = BEGIN;
      let policy: PolicyInForce | null = null;
      const said = new Map<string, ContactHeld["data"]>();
      given.forEach(({ passed, move, leftOut, policy: changed }, step) => {
        now = plusMillis(now, passed);
        if (changed !== undefined) policy = { version: 1 + (policy?.version ?? 0), policy: changed };
        for (const event of move(state, now, step, policy)) {
          followed(said, state, event);
          campaignDecider.evolve(state, event);
        }
        const asked: Asked = { state, now, policy, holds: said, leftOut };
        const wanted = plainly(asked);
        const due = state.status === "RUNNING" ? wanted : [];
        const isLeft = (contactId: ContactId) => isLeftOut(asked, rowOf(state.contacts, contactId) ?? -1);
        expect(dueContacts(state, now, 100, policy, isLeft)).toEqual(due);
        expect(dueContacts(state, now, 2, policy, isLeft)).toEqual(due.slice(0, 2));
        expect(countDue(state, now, policy, isLeft)).toBe(wanted.length);
        expect(nextDueAt(state, now, policy, isLeft)).toBe(plainlyNext(asked));
        expect(oldestDueSince(state, now, now, policy)).toBe(plainlyOldest(asked));
        const waiting = toCall(asked).filter(({ isWaiting, times }) => isWaiting && isOpenNow(times, now));
        if (waiting.length > 0) expect(isSomebodyHeld(state, now, policy)).toBe(true);
      });
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS / 4 });
  });

  it("are in order of due time, ties in the order of import, whoever joins and leaves", () => {
    const moves = fc.array(
      fc.record({
        row: fc.nat(39),
        due: fc.nat(9),
        joins: fc.integer({ min: 0, max: 2 }).map((roll) => roll > 0),
      }),
      { maxLength: 150, size: "max" },
    );
    const property = fc.property(moves, fc.nat(10), (given, now) => {
      const table: DueQueues = {
        group: Uint16Array.from({ length: 40 }, (_, row) => row % 3),
        dueMillis: new Float64Array(40),
        place: new Uint32Array(40),
        callbackRows: new Set(),
        held: new Map(),
        holds: new Map(),
        queues: [],
      };
      const there = new Set<number>();
      for (const { row, due, joins } of given) {
        leaveQueue(table, row);
        there.delete(row);
        if (!joins) continue;
        table.dueMillis[row] = due;
        joinQueue(table, row);
        there.add(row);
      }
      const dueOf = (row: number) => table.dueMillis[row] ?? 0;
      const wanted = [...there]
        .filter((row) => row % 3 !== 1 && dueOf(row) <= now)
        .toSorted((a, b) => dueOf(a) - dueOf(b) || a - b);
      const moment = { millis: now, policyVersion: 0 };
      expect([...dueRowsInOrder(table, [0, 2], moment)]).toEqual(wanted);
      expect(
        queuesToCall(table, [0, 1, 2], moment)
          .flatMap(({ rows }) => rows)
          .toSorted(),
      ).toEqual([...there].toSorted());
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });

  it("do not change when they are asked", () => {
    const property = fc.property(newcomers, windows, steps, (people, window, given) => {
      const [asked, left] = [0, 1].map(() =>
        fold(campaignDecider, campaignDecider.initialState(), running(peopleOf(people, 0), { window })),
      );
      if (asked === undefined || left === undefined) throw new Error("no state");
      given.forEach(({ move }, step) => {
        const now = plusMillis(BEGIN, step * HOUR);
        const events = move(asked, now, step, null);
        fold(campaignDecider, asked, events);
        fold(campaignDecider, left, events);
        dueContacts(asked, now, 3, null);
        nextDueAt(asked, now, null);
      });
      expect(asked).toEqual(left);
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS / 10 });
  });
});

describe("a look at the next ten of a campaign", () => {
  /** Half in a zone whose window is closed; of the others half wait. Counts reads of due times. */
  function readsOfLook(contacts: number): number {
    const people = Array.from({ length: contacts }, (_, index) =>
      contact(index, {
        timezone: index % 2 === 0 ? "America/New_York" : null,
        phoneNumber: `+1415${String(index).padStart(7, "0")}`,
      }),
    );
    const waiting = people
      .filter((_, index) => index % 4 === 1)
      .flatMap((each, index) => {
        const callId = `call_${index}` as const;
        const end = failed(1, plusMillis("2026-09-01T10:00:00.000Z", index));
        return [dialOf(each, callId), { ...end, data: { ...end.data, callId } } as CampaignEvent];
      });
    const history = [...running(people, { window: { start: 9, end: 18 } }), ...waiting];
    const state = fold(campaignDecider, campaignDecider.initialState(), history);
    let reads = 0;
    state.contacts.dueMillis = new Proxy(state.contacts.dueMillis, {
      get: (column, key) => {
        reads += 1;
        return Reflect.get(column, key, column);
      },
    });
    expect(dueContacts(state, "2026-09-01T10:30:00.000Z", 10, null)).toHaveLength(10);
    nextDueAt(state, "2026-09-01T10:30:00.000Z", null);
    return reads;
  }

  it("reads of 20,000 contacts hardly more than of 200", () =>
    expect(readsOfLook(20_000)).toBeLessThan(2 * readsOfLook(200)));
});
