import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  chunkRevisionOf,
  dueMillisOf,
  idOf,
  numberOf,
  ownZoneOf,
  statusOf,
} from "../../../domain/campaign/contacts/contact-row.ts";
import { contactCount } from "../../../domain/campaign/contacts/contact-table.ts";
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
  nextDueAt,
  oldestDueSince,
} from "../../../domain/campaign/due-contacts.ts";
import type { CampaignEvent } from "../../../domain/campaign/events.ts";
import type { CampaignState } from "../../../domain/campaign/state.ts";
import type { CallWindow } from "../../../domain/shared/call-window.ts";
import { fold } from "../../../domain/shared/decider.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import {
  earliest,
  type Instant,
  instantFromMillis,
  millisOf,
  plusMillis,
} from "../../../domain/shared/instant.ts";
import { isWindowOpen, nextOpening, windowClosesAt } from "../../../domain/window/call-window.ts";
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
/** Often several with one number. */
const numbers = fc.oneof(fc.nat(9), fc.constant(1));
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

/** What happens next, also what no rule would allow: the fold accepts every event in every state. */
type Move = (state: CampaignState, now: Instant, step: number) => readonly CampaignEvent[];

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
    (state, now, step) =>
      dueContacts(state, now, limit, null).map((due, index) => dialOf(due, `call_${step}_${index}`)),
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
    move: fc.oneof(
      { weight: 25, arbitrary: dialsOfDue },
      { weight: 10, arbitrary: dialOfAnybody },
      { weight: 30, arbitrary: ends },
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
    contact(from + index, { timezone: ZONES[zone] ?? null, phoneNumber: `+1415555010${number}` }),
  );
}

function zoneName({ contacts, settings }: CampaignState, row: number): string {
  return ownZoneOf(contacts, row) ?? settings?.timezone ?? "";
}

function isOpen({ contacts }: CampaignState, row: number): boolean {
  return ["pending", "dialing", "waiting_retry"].includes(statusOf(contacts, row) ?? "");
}

/** The plain walk over the whole table. Of the holders of a number the first due one is called. */
function toCall(state: CampaignState) {
  const agreed = [...state.contacts.callbacks]
    .filter(([row]) => isOpen(state, row))
    .toSorted(([a, { dueMillis: dueA }], [b, { dueMillis: dueB }]) => dueA - dueB || a - b);
  const isFree = (row: number) => {
    const number = numberOf(state.contacts, row);
    const first = agreed.find(([holder]) => numberOf(state.contacts, holder) === number)?.[0] ?? row;
    return first === row;
  };
  return everybodyToCall(state).filter(({ row }) => isFree(row));
}

function everybodyToCall(state: CampaignState) {
  const { contacts } = state;
  return Array.from({ length: contactCount(contacts) }, (_, row) => row).flatMap((row) => {
    const status = statusOf(contacts, row);
    if (status !== "pending" && status !== "waiting_retry") return [];
    const due = status === "pending" ? Number.NEGATIVE_INFINITY : dueMillisOf(contacts, row);
    const isCallback = contacts.callbackRows.has(row);
    return [{ row, due, isCallback, timezone: zoneName(state, row) }];
  });
}

function plainly(state: CampaignState, now: Instant): readonly DueContact[] {
  const { contacts } = state;
  const window = state.settings?.window ?? null;
  const taken = new Set(state.liveNumbers);
  return toCall(state)
    .filter(({ due, timezone }) => due <= millisOf(now) && isWindowOpen(timezone, window, now))
    .toSorted((a, b) => {
      if (a.isCallback !== b.isCallback) return a.isCallback ? -1 : 1;
      return a.due === b.due ? a.row - b.row : a.due < b.due ? -1 : 1;
    })
    .flatMap(({ row, timezone }) => {
      const [contactId, phoneNumber] = [idOf(contacts, row), numberOf(contacts, row)];
      if (contactId === undefined || phoneNumber === undefined || taken.has(phoneNumber)) return [];
      taken.add(phoneNumber);
      const windowCloses = windowClosesAt(timezone, window, now);
      const chunkRevision = chunkRevisionOf(contacts, row);
      const ownTimezone = ownZoneOf(contacts, row);
      return [{ contactId, phoneNumber, timezone, ownTimezone, windowClosesAt: windowCloses, chunkRevision }];
    });
}

function plainlyNext(state: CampaignState, now: Instant): Instant | null {
  const window = state.settings?.window ?? null;
  return earliest(
    toCall(state).map(({ due, timezone }) =>
      nextOpening(timezone, window, instantFromMillis(Math.max(due, millisOf(now)))),
    ),
  );
}

function plainlyOldest(state: CampaignState, before: Instant): Instant {
  const first = Math.min(...toCall(state).map(({ due }) => due));
  return Number.isFinite(first) ? instantFromMillis(Math.max(first, millisOf(before))) : before;
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
      given.forEach(({ passed, move }, step) => {
        now = plusMillis(now, passed);
        fold(campaignDecider, state, move(state, now, step));
        const wanted = plainly(state, now);
        const due = state.status === "RUNNING" ? wanted : [];
        expect(dueContacts(state, now, 100, null)).toEqual(due);
        expect(dueContacts(state, now, 2, null)).toEqual(due.slice(0, 2));
        expect(countDue(state, now, null)).toBe(wanted.length);
        expect(nextDueAt(state, now, null)).toBe(plainlyNext(state, now));
        expect(oldestDueSince(state, now, now, null)).toBe(plainlyOldest(state, now));
      });
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
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
        const events = move(asked, now, step);
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
