import type { DomainEvent } from "../../domain/events.ts";
import type { Policy } from "../../domain/policy/policy.ts";
import { type Instant, instantFromMillis, millisOf } from "../../domain/shared/instant.ts";
import { callStream, campaignStream } from "../log/stream-names.ts";
import type { StoredEvent } from "../ports/event-store.ts";
import type { Unverifiable, VerificationResult, VerifiedRule, Violation } from "../ports/verifications.ts";
import { column } from "./columns.ts";
import { createDialBook, DIAL, LONGEST_WRITING_MILLIS } from "./dial-book.ts";
import { createJudge, GRACE_MILLIS, type Judge } from "./judge-dials.ts";
import { createStandings, type Judged, judgedBy } from "./standing.ts";
import type { DialInGroup, Judgement } from "./zoned-rules.ts";

/** What dials are held against: each the version that was in force, or all of them one policy. */
export type VerifiedPolicy = "in_force" | Policy;

export type VerifyOptions = {
  readonly policy: VerifiedPolicy;
  /** Only dials that were judged from then on are judged. */
  readonly from: Instant | null;
  /** Exclusive. */
  readonly until: Instant;
  /** Version of the data of time zones that Intl has here. */
  readonly tzdata: string;
};

export type Verdict = VerificationResult & {
  /** In order of time; each iteration makes them again. */
  readonly violations: Iterable<Violation>;
};

/** So many violations of a verification are kept. */
export const MOST_VIOLATIONS = 100_000;

/** Events that a verification reads; everything else of a log is nothing to it. */
export const VERIFIED_TYPES = [
  "PolicyChanged",
  "SuppressionListChanged",
  "SuppressionListReplaced",
  "ContactDialed",
  "CallRequested",
  "CallDialingBegan",
  "CallCompleted",
  "CallFailed",
] as const satisfies readonly DomainEvent["type"][];

/** No cap counts longer than a month, in whatever zone. */
const COUNTED_MILLIS = 32 * 86_400_000;
/** No call has events this far apart. */
const LONGEST_CALL_MILLIS = 6 * 3_600_000;
/** When a slot is freed whose call nobody can read; after its dialBy. */
const GIVEN_UP_MILLIS = 3 * 3_600_000;

const RULES: readonly VerifiedRule[] = [
  "consent",
  "oneCallAtATime",
  "attemptsPerNumber",
  "callableHours",
  "zone_unknown",
  "listAge",
  "eligibility",
];

export type Verification = {
  /** In the order of the log. Throws, naming the event, when it cannot be read. */
  read(event: StoredEvent): void;
  /** Whether nothing after this event matters. */
  isPast(event: StoredEvent): boolean;
  /** Of the dials so far. */
  dials(): number;
  /** When all of them are read. */
  judge(): Verdict;
};

/**
 * Holds dials of a log against a policy (docs/permission.md, Held against the past). It needs some 160 bytes
 * for a dial, and nothing for any other event. Several owners are judged each by its own dials and versions.
 */
export function createVerification({ policy, from, until, tzdata }: VerifyOptions): Verification {
  const book = createDialBook(tzdata);
  const standings = createStandings();
  const range = { from: from === null ? Number.NEGATIVE_INFINITY : millisOf(from), until: millisOf(until) };
  const counted = range.from - COUNTED_MILLIS;
  const isStanding = (type: string) => type === "PolicyChanged" || type.startsWith("SuppressionList");
  return {
    read: (event) => {
      try {
        if (isStanding(event.type)) standings.read(event);
        else if (millisOf(event.created) >= counted) book.read(event);
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        throw new Error(`${event.type}, event ${event.revision} of ${event.stream}: ${problem}`);
      }
    },
    isPast: ({ created }) => millisOf(created) > range.until + LONGEST_CALL_MILLIS,
    dials: book.dials,
    judge: () => {
      const order = inOrder(book);
      const judge = createJudge({ book, standings, order });
      const given = policy === "in_force" ? null : judgedBy(policy, 0);
      const accepted = (row: number): readonly (Judged | null)[] => {
        if (given !== null) return [given];
        const judged = book.columns.judged.get(row);
        const last = book.has(row, DIAL.judged) ? judged : judged + LONGEST_WRITING_MILLIS;
        return standings.versionsIn(book.owner(row), judged - GRACE_MILLIS, last + GRACE_MILLIS);
      };
      const judged = (dial: DialInGroup) => judgedByAll(dial, accepted(dial.row), judge);
      return verdictOf(book, { order, judged, range });
    },
  };
}

type Book = ReturnType<typeof createDialBook>;
type Found = ReadonlyMap<VerifiedRule, Judgement>;
const NOTHING: Found = new Map();

/** Where several versions may have stood, only what breaks all of them is broken. */
function judgedByAll(dial: DialInGroup, accepted: readonly (Judged | null)[], judge: Judge): Found {
  let all: Map<VerifiedRule, Judgement> | null = null;
  for (const judged of accepted) {
    if (judged === null) return NOTHING;
    const found = judge(dial, judged);
    const before: Found | null = all;
    all = new Map();
    for (const [rule, judgement] of found) {
      const other = before?.get(rule);
      if (before === null) all.set(rule, judgement);
      else if (other !== undefined) all.set(rule, other.broken ? judgement : other);
    }
  }
  return all ?? NOTHING;
}

/** Rows of dials that rang somebody: by owner and number, then by time, then as in the log. */
function inOrder({ columns, dials, isDialled }: Book): Uint32Array {
  let length = 0;
  const rows = new Uint32Array(dials());
  for (let row = 0; row < rows.length; row += 1) if (isDialled(row)) rows[length++] = row;
  const { owner, number, judged, place } = columns;
  return rows
    .subarray(0, length)
    .sort(
      (a, b) =>
        number.get(a) - number.get(b) ||
        owner.get(a) - owner.get(b) ||
        judged.get(a) - judged.get(b) ||
        place.get(a) - place.get(b),
    );
}

type Judging = {
  readonly order: Uint32Array;
  readonly judged: (dial: DialInGroup) => Found;
  readonly range: { readonly from: number; readonly until: number };
};

function verdictOf(book: Book, { order, judged, range }: Judging): Verdict {
  const byRule: Partial<Record<VerifiedRule, number>> = {};
  const unverifiable = new Map<string, Unverifiable>();
  const broken = createBroken(book);
  let dials = 0;
  for (const dial of inGroups(book, order)) {
    const millis = toldMillis(book, dial.row);
    if (millis < range.from || millis >= range.until) continue;
    dials += 1;
    for (const [rule, judgement] of judged(dial)) {
      if (judgement.broken) {
        byRule[rule] = (byRule[rule] ?? 0) + 1;
        broken.add(dial, rule);
      } else {
        const { why } = judgement;
        const known = unverifiable.get(`${rule} ${why}`) ?? { rule, why, count: 0 };
        unverifiable.set(`${rule} ${why}`, { ...known, count: known.count + 1 });
      }
    }
  }
  const violations = {
    *[Symbol.iterator]() {
      for (const { dial, rule } of broken.inTime()) {
        const judgement = judged(dial).get(rule);
        if (judgement?.broken === true) yield violation(book, dial.row, rule, judgement);
      }
    },
  };
  return { dials, count: broken.count(), byRule, unverifiable: [...unverifiable.values()], violations };
}

/** Each dial with those of its number before it. */
function* inGroups(book: Book, order: Uint32Array): Generator<DialInGroup, void> {
  let first = 0;
  let live = createLive(book);
  for (let rank = 0; rank < order.length; rank += 1) {
    const row = order[rank] ?? 0;
    if (rank > 0 && !isSameNumber(book, row, order[rank - 1] ?? 0)) {
      first = rank;
      live = createLive(book);
    }
    yield { row, rank, first, liveRow: live.with(row) };
    live.add(row);
  }
}

/** Dials that broke a rule, 17 bytes each: what they broke is judged again when it is told. */
function createBroken({ columns: { judged, place } }: Book) {
  const columns = {
    row: column(Uint32Array),
    rule: column(Uint8Array),
    rank: column(Uint32Array),
    first: column(Uint32Array),
    /** Counted from 1; 0: none. */
    live: column(Uint32Array),
  };
  let count = 0;
  const compare = (a: number, b: number) => {
    const [one, other] = [columns.row.get(a), columns.row.get(b)];
    return (
      judged.get(one) - judged.get(other) ||
      place.get(one) - place.get(other) ||
      columns.rule.get(a) - columns.rule.get(b)
    );
  };
  return {
    count: () => count,
    add: ({ row, rank, first, liveRow }: DialInGroup, rule: VerifiedRule): void => {
      columns.row.set(count, row);
      columns.rule.set(count, RULES.indexOf(rule));
      columns.rank.set(count, rank);
      columns.first.set(count, first);
      columns.live.set(count, liveRow === null ? 0 : liveRow + 1);
      count += 1;
    },
    *inTime(): Generator<{ readonly dial: DialInGroup; readonly rule: VerifiedRule }, void> {
      for (const index of Uint32Array.from({ length: count }, (_, at) => at).sort(compare)) {
        const live = columns.live.get(index);
        const [row, rank, first] = [
          columns.row.get(index),
          columns.rank.get(index),
          columns.first.get(index),
        ];
        const rule = RULES[columns.rule.get(index)];
        if (rule !== undefined)
          yield { dial: { row, rank, first, liveRow: live === 0 ? null : live - 1 }, rule };
      }
    },
  };
}

/** When it was judged, or written down if it was by nothing. */
function toldMillis({ columns, has }: Book, row: number): number {
  return columns.judged.get(row) + (has(row, DIAL.judged) ? 0 : LONGEST_WRITING_MILLIS);
}

function isSameNumber({ columns: { owner, number } }: Book, row: number, other: number): boolean {
  return number.get(row) === number.get(other) && owner.get(row) === owner.get(other);
}

/** Of the dials of a number the one whose call lasts longest, by the log where it has the end. */
function createLive({ columns, has }: Book) {
  let ended: number | null = null;
  let notEnded: number | null = null;
  const until = (row: number) => columns.judged.get(row) + columns.dialBy.get(row) + GIVEN_UP_MILLIS;
  return {
    /** Row of a call that the number was still in; null: there is none. */
    with: (row: number): number | null => {
      const millis = columns.judged.get(row);
      if (ended !== null && columns.endPlace.get(ended) > columns.place.get(row) && millis < until(ended))
        return ended;
      return notEnded !== null && millis < until(notEnded) ? notEnded : null;
    },
    add: (row: number): void => {
      if (has(row, DIAL.ended)) {
        if (ended === null || columns.endPlace.get(row) > columns.endPlace.get(ended)) ended = row;
      } else if (notEnded === null || until(row) > until(notEnded)) notEnded = row;
    },
  };
}

function violation(
  book: Book,
  row: number,
  rule: VerifiedRule,
  judgement: Judgement & { readonly broken: true },
): Violation {
  const { columns } = book;
  const [campaignId, callId] = [book.campaignId(row), book.callId(row)];
  return {
    rule,
    at: instantFromMillis(toldMillis(book, row)),
    campaignId,
    contactId: book.contactId(row),
    callId,
    phoneNumber: book.phoneNumber(row),
    value: judgement.value,
    limit: judgement.limit,
    event: {
      stream: campaignId === null ? callStream(callId) : campaignStream(campaignId),
      revision: columns.revision.get(row),
      at: instantFromMillis(columns.at.get(row)),
    },
  };
}
