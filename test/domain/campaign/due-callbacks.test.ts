import { describe, expect, it } from "vitest";
import { type CampaignCommand, campaignDecider } from "../../../domain/campaign/decider.ts";
import {
  countDue,
  dueContacts,
  isSomebodyHeld,
  lastDueMillis,
  nextDueAt,
} from "../../../domain/campaign/due-contacts.ts";
import type { CampaignEvent } from "../../../domain/campaign/events.ts";
import type { CampaignState } from "../../../domain/campaign/state.ts";
import { fold } from "../../../domain/shared/decider.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import {
  at,
  callbackScheduled,
  campaignId,
  contact,
  dialed,
  FINE,
  failed,
  granted,
  running,
  succeeded,
} from "./example-campaign.ts";

/** As the evidence of a grant says. */
const LINES = 10;
/** All callbacks are due by then. */
const NOW = at(100_000);

const numberOf = (row: number): PhoneNumber => `+1415${String(row).padStart(7, "0")}`;
/** A second of its own for each, in another order than that of the import. */
const secondOf = (row: number, count: number) => 1_000 + ((row * 7_919) % count);

/** Everybody was called once and agreed a callback. */
function agreed(count: number): CampaignState {
  const rows = Array.from({ length: count }, (_, row) => row);
  const people = rows.map((row) => contact(row, { phoneNumber: numberOf(row) }));
  const calls = rows.flatMap((row): CampaignEvent[] => {
    const dial = dialed(row);
    if (dial.type !== "ContactDialed") throw new Error("no dial");
    return [
      { ...dial, data: { ...dial.data, phoneNumber: numberOf(row) } },
      callbackScheduled(row, at(secondOf(row, count))),
    ];
  });
  return fold(campaignDecider, campaignDecider.initialState(), [...running(people), ...calls]);
}

type Looked = { rows: number };
const SINGLE = new Set<PropertyKey>(["get", "has", "set", "add", "delete", "length", "size", "push", "pop"]);

/** A column that counts the rows that are read from it: one by one, or all for whatever goes over them. */
function counted<Column extends object>(column: Column, looked: Looked): Column {
  return new Proxy(column, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof key === "string" && /^\d/.test(key)) looked.rows += 1;
      if (typeof value !== "function") return value;
      if (!SINGLE.has(key)) looked.rows += sizeOf(target);
      return value.bind(target);
    },
  });
}

function sizeOf(column: object): number {
  if ("size" in column) return Number(column.size);
  return "length" in column ? Number(column.length) : 0;
}

/** The same campaign over columns that count. */
function watched(state: CampaignState, looked: Looked): CampaignState {
  const { contacts } = state;
  const holds = new Map(
    [...contacts.holds].map(([key, hold]) => [
      key,
      { ...hold, queue: hold.queue && counted(hold.queue, looked) },
    ]),
  );
  const held = new Map(
    [...contacts.held].flatMap(([row, { key }]) => (holds.has(key) ? [[row, holds.get(key)]] : [])),
  );
  const columns = {
    ids: counted(contacts.ids, looked),
    numbers: counted(contacts.numbers, looked),
    group: counted(contacts.group, looked),
    status: counted(contacts.status, looked),
    dueMillis: counted(contacts.dueMillis, looked),
    place: counted(contacts.place, looked),
    chunkRevision: counted(contacts.chunkRevision, looked),
    callbacks: counted(contacts.callbacks, looked),
    holders: counted(contacts.holders, looked),
    callbackRows: counted(contacts.callbackRows, looked),
    byNumber: counted(contacts.byNumber, looked),
    toCall: counted(contacts.toCall, looked),
    holds,
    held: counted(held as typeof contacts.held, looked),
    queues: contacts.queues.map((queue) => counted(queue, looked)),
  };
  return { ...state, contacts: { ...contacts, ...columns } };
}

function dialOf(row: number, call: number, phoneNumber: PhoneNumber): CampaignEvent {
  const dial = dialed(row, call);
  if (dial.type !== "ContactDialed") throw new Error("no dial");
  return { ...dial, data: { ...dial.data, phoneNumber } };
}

/** As the runner asks, after each end of a call. Returns contacts in the order of their dials. */
function playedWhole(state: CampaignState): readonly string[] {
  const live: { readonly contactId: `ctc_${string}`; readonly callId: `call_${string}` }[] = [];
  const order: string[] = [];
  const handle = (command: CampaignCommand) => {
    const events = campaignDecider.decide(command, state);
    for (const event of events) campaignDecider.evolve(state, event);
    return events;
  };
  while (state.status !== "COMPLETED") {
    handle({ type: "JudgeConditions", world: FINE, now: NOW });
    const due = dueContacts(state, NOW, LINES - live.length, null);
    if (due.length === 0) nextDueAt(state, NOW, null);
    const wanted = due.map(({ contactId }, index) =>
      granted(0, 1_000_000 + order.length + index, { contactId, dialAt: NOW, dialBy: NOW }),
    );
    for (const { type, data } of handle({
      type: "DialDueContacts",
      granted: wanted,
      suppressed: [],
      now: NOW,
    })) {
      if (type !== "ContactDialed") continue;
      live.push(data);
      order.push(data.contactId);
    }
    const ended = live.shift();
    if (ended !== undefined) {
      const { contactId, callId } = ended;
      const how = { endReason: "customer_ended", durationSeconds: 30, cost: 0, endedAt: NOW } as const;
      handle({ type: "RecordAttemptOutcome", contactId, callId, ...how, now: NOW });
    }
    handle({ type: "CompleteIfDone", now: NOW });
  }
  return order;
}

/** Rows that are looked at for each dial. */
function lookedAt(count: number): number {
  const looked: Looked = { rows: 0 };
  playedWhole(watched(agreed(count), looked));
  return looked.rows / count;
}

it("10,000 callbacks that are due at once are dialled by their time", () => {
  const count = 10_000;
  const wanted = Array.from({ length: count }, (_, row) => row)
    .toSorted((a, b) => secondOf(a, count) - secondOf(b, count))
    .map((row) => `ctc_${row}`);
  expect(playedWhole(agreed(count))).toEqual(wanted);
});

it("no look at callbacks that are due at once goes over all of them", () => {
  const few = lookedAt(500);
  expect(few).toBeGreaterThan(1);
  // Eight times as many: log₂ 4,000 / log₂ 500 = 1.33 times the rows, with a walk over all 8 times.
  expect(lookedAt(4_000) / few).toBeLessThan(2);
});

describe("contacts whose number is held for another's callback", () => {
  const SHARED = numberOf(0);
  const everybody = (count: number) => [
    ...Array.from({ length: count }, (_, row) => contact(row, { phoneNumber: SHARED })),
    contact(count, { phoneNumber: numberOf(count) }),
  ];
  /** Of `count` contacts with one number the first agreed a callback. The last has a number of its own. */
  const held = (count: number) =>
    fold(campaignDecider, campaignDecider.initialState(), [
      ...running(everybody(count)),
      dialOf(0, 0, SHARED),
      callbackScheduled(0, at(5_000)),
    ]);
  const ids = (state: CampaignState, now: ReturnType<typeof at>) =>
    dueContacts(state, now, 3, null).map(({ contactId }) => contactId);

  function rowsOf(count: number, act: (state: CampaignState) => void): number {
    const state = held(count);
    const looked: Looked = { rows: 0 };
    act(watched(state, looked));
    return looked.rows;
  }

  it("are not passed over by a look, however many they are", () => {
    const look = (state: CampaignState) => {
      expect(ids(state, at(100))).toEqual([`ctc_${state.contacts.ids.length - 1}`]);
      expect(nextDueAt(state, at(100), null)).toBe(at(100));
      expect(countDue(state, at(100), null)).toBe(1);
    };
    expect(rowsOf(2_000, look)).toBe(rowsOf(20, look));
  });

  it("come back one by one when the callback has ended, each for as few rows", () => {
    const end = (state: CampaignState) => {
      campaignDecider.evolve(state, dialOf(0, 7, SHARED));
      campaignDecider.evolve(state, succeeded(0, 7));
      expect(ids(state, at(6_000))).toContain("ctc_1");
      campaignDecider.evolve(state, dialOf(1, 8, SHARED));
      campaignDecider.evolve(state, callbackScheduled(1, at(9_000), 8));
      expect(ids(state, at(6_000))).not.toContain("ctc_2");
      expect(ids(state, at(9_000))).toContain("ctc_1");
      campaignDecider.evolve(state, dialOf(1, 9, SHARED));
      campaignDecider.evolve(state, succeeded(1, 9));
      expect(ids(state, at(9_000))).toContain("ctc_2");
      campaignDecider.evolve(state, dialOf(2, 10, SHARED));
      campaignDecider.evolve(state, succeeded(2, 10));
      expect(ids(state, at(9_000))).toContain("ctc_3");
    };
    const few = rowsOf(20, end);
    expect(few).toBeGreaterThan(10);
    // A hundred times as many: log₂ 2,000 / log₂ 20 = 2.5 times the rows, with all a hundred times.
    expect(rowsOf(2_000, end) / few).toBeLessThan(4);
  });
});

describe("contacts that the policy holds", () => {
  const UNTIL = at(5_000);
  const policy = (version: number) => ({
    version,
    policy: {
      callableHours: null,
      attemptsPerNumber: { day: 1 },
      oneCallAtATime: true,
      exceptSingleCalls: false,
    },
  });
  const hold = (row: number, until: Instant | null = UNTIL): CampaignEvent => ({
    type: "ContactHeld",
    data: {
      ...{ campaignId, at: at(10), contactId: `ctc_${row}`, rule: "attemptsPerNumber", until },
      ...{ heldBy: null, policyVersion: 1, value: 1, limit: "1/day" },
    },
  });
  /** All but the last, which is pending, are held; one in two is a retry. */
  const held = (count: number) => {
    const people = Array.from({ length: count + 1 }, (_, row) =>
      contact(row, { phoneNumber: numberOf(row) }),
    );
    const rows = people.map((_, row) => row).slice(0, -1);
    const retries = rows
      .filter((row) => row % 2 === 1)
      .flatMap((row) => [dialOf(row, row, numberOf(row)), failed(row, at(secondOf(row, count)))]);
    return fold(campaignDecider, campaignDecider.initialState(), [
      ...running(people),
      ...retries,
      ...rows.map((row) => hold(row)),
    ]);
  };
  const ids = (state: CampaignState, now: Instant, version = 1) =>
    dueContacts(state, now, 3, policy(version)).map(({ contactId }) => contactId);
  const rowsOf = (count: number, act: (state: CampaignState) => void): number => {
    const state = held(count);
    const looked: Looked = { rows: 0 };
    act(watched(state, looked));
    return looked.rows;
  };

  it("are not passed over by a look, however many they are", () => {
    const look = (state: CampaignState) => {
      expect(ids(state, at(100))).toEqual([`ctc_${state.contacts.ids.length - 1}`]);
      expect(nextDueAt(state, at(100), policy(1))).toBe(at(100));
      expect(countDue(state, at(100), policy(1))).toBe(1);
    };
    expect(rowsOf(2_000, look)).toBe(rowsOf(20, look));
  });

  it("come back in their order at the time, or with another version: the first few for as few rows", () => {
    const look = (now: Instant, version: number) => (state: CampaignState) =>
      expect(ids(state, now, version)).toEqual(["ctc_0", "ctc_2", "ctc_4"]);
    for (const asked of [look(UNTIL, 1), look(at(100), 2)]) {
      // A hundred times as many: log₂ 2,000 / log₂ 20 = 2.5 times the rows, with all a hundred times.
      expect(rowsOf(2_000, asked) / rowsOf(20, asked)).toBeLessThan(4);
    }
  });

  it("are due next when the hold ends, and the last of them with it", () => {
    const state = held(4);
    campaignDecider.evolve(state, dialOf(4, 9, numberOf(4)));
    expect(nextDueAt(state, at(100), policy(1))).toBe(UNTIL);
    expect(lastDueMillis(state, at(100), policy(1))).toBe(Date.parse(UNTIL));
    expect(isSomebodyHeld(state, at(100), policy(1))).toBe(true);
    expect(isSomebodyHeld(state, at(100), policy(2))).toBe(false);
  });

  it("keep no place behind that somebody with the same number has: it is asked for in turn", () => {
    const shared = [contact(1), contact(2, { phoneNumber: "+14155550101" })];
    const state = fold(campaignDecider, campaignDecider.initialState(), [...running(shared), hold(1)]);
    expect(ids(state, at(100))).toEqual(["ctc_2"]);
    campaignDecider.evolve(state, hold(2));
    expect(ids(state, at(100))).toEqual([]);
    expect(ids(state, UNTIL)).toEqual(["ctc_1"]);
  });

  it("are let go by a dial, whoever allowed it, and are held no more after it", () => {
    const state = fold(campaignDecider, campaignDecider.initialState(), [
      ...running([contact(1)]),
      hold(1),
      dialed(1),
      failed(1, at(90)),
    ]);
    expect(ids(state, at(100))).toEqual(["ctc_1"]);
    expect(state.contacts.holds.size + state.contacts.held.size).toBe(0);
  });
});
