import type { CallEvent, CallRequested } from "../../domain/call/events.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import type { JournalEntry } from "./faulty-carrier.ts";
import type { ObservedEvent, Observer } from "./observer.ts";
import type { Scenario, ScenarioAction } from "./scenario.ts";
import type { Shared } from "./shared-world.ts";
import { bothOf } from "./two-carriers.ts";

/** How long a request may be on its way after the last moment at which it may be sent. */
const ON_ITS_WAY_MILLIS = 15_000;
/** The do-not-call list is read at most this long before the dial. */
const SUPPRESSION_SEEN_MILLIS = 1_000;

type CallFacts = {
  readonly request: CallRequested["data"];
  readonly events: CallEvent[];
  /** When CallDialingBegan was in the log. */
  beganAt: number | null;
};

/** I3 and I5 for calls: compares the carrier's journal with the log, and checks each call's own history. */
export function judgeCalls({ carriers }: Shared, scenario: Scenario, observer: Observer): readonly string[] {
  const stories = storiesOf(observer.events);
  const problems: string[] = [];
  const dialled = new Set<CallId>();
  const both = bothOf(carriers);
  const journal = both.flatMap((carrier) => carrier.journal);
  const rung = new Set(journal.filter(({ accepted }) => accepted).map(({ callId }) => callId));
  for (const carrier of both)
    for (const callId of carrier.strangers)
      problems.push(`${callId} was asked about where it was not dialled`);
  for (const { callId, at, instance } of journal) {
    if (dialled.has(callId)) problems.push(`${callId} was dialled twice`);
    dialled.add(callId);
    problems.push(...judgeDial(stories.get(callId), { callId, at, instance }, observer));
  }
  for (const [callId, story] of stories) {
    problems.push(...judgeHistory(callId, story));
    const end = story.events.find((event) => event.type === "CallFailed");
    const neverPlaced = end?.data.endReason === "not_placed" || end?.data.endReason === "suppressed";
    if (neverPlaced && rung.has(callId)) {
      problems.push(`${callId} ended ${end.data.endReason}, and the carrier had it`);
    }
  }
  if (canBeReached(scenario)) {
    for (const callId of both.flatMap((carrier) => carrier.liveCalls()))
      problems.push(`${callId} goes on at the carrier`);
  }
  return problems;
}

/** A carrier that does not answer cannot be asked to hang up; then its own limits end the call. */
function canBeReached({ faults, secondFaults, actions }: Scenario): boolean {
  return (
    [faults, secondFaults ?? faults].every((each) => each.hangUpUnknown + each.lookupUnavailable === 0) &&
    actions.every(({ kind }) => !AWAY.has(kind))
  );
}
const AWAY: ReadonlySet<ScenarioAction["kind"]> = new Set([
  "carrier away",
  "second carrier away",
  "second carrier replaced",
]);

function storiesOf(events: readonly ObservedEvent[]): Map<CallId, CallFacts> {
  const stories = new Map<CallId, CallFacts>();
  for (const { stored, event, seenAt } of events) {
    if (!stored.stream.startsWith("call-")) continue;
    if (event.type === "CallRequested")
      stories.set(event.data.callId, { request: event.data, events: [], beganAt: null });
    const story = "callId" in event.data ? stories.get(event.data.callId) : undefined;
    story?.events.push(event as CallEvent);
    if (story !== undefined && event.type === "CallDialingBegan") story.beganAt = seenAt;
  }
  return stories;
}

function judgeDial(
  story: CallFacts | undefined,
  { callId, at, instance }: Pick<JournalEntry, "callId" | "at" | "instance">,
  { handBook }: Observer,
): readonly string[] {
  const beganAt = story?.beganAt ?? null;
  if (story === undefined || beganAt === null) return [`${callId} was dialled before it was written`];
  const problems: string[] = [];
  const { to, dialBy } = story.request;
  const stored = story.events.find((event) => event.type === "CallDialingBegan")?.data;
  const began = stored?.at ?? "";
  if (stored?.carrier?.instance.split("/")[0] !== instance.split("/")[0])
    problems.push(`${callId} was dialled at ${instance}, and stored ${stored?.carrier?.instance}`);
  if (began > dialBy) problems.push(`${callId} began at ${began}, after its dialBy ${dialBy}`);
  if (at - beganAt > ON_ITS_WAY_MILLIS)
    problems.push(`${callId} reached the carrier ${at - beganAt} ms after it began`);
  for (const { phoneNumber, from, askedOff } of handBook.listings) {
    const known = beganAt - from > SUPPRESSION_SEEN_MILLIS && (askedOff === null || beganAt < askedOff);
    if (phoneNumber === to && known) problems.push(`${callId} was dialled after ${to} was suppressed`);
  }
  return problems;
}

const RANK: Readonly<Record<string, number>> = {
  CallRequested: 0,
  CallDialingBegan: 1,
  CallRinging: 2,
  CallConnected: 3,
  CallConversationStarted: 4,
  CallCompleted: 5,
  CallFailed: 5,
};

/** Begins once, only goes forward, ends once, and after the end only the recording is applied. */
function judgeHistory(callId: CallId, { events }: CallFacts): readonly string[] {
  const problems: string[] = [];
  let rank = -1;
  for (const { type } of events) {
    const next = RANK[type];
    if (next !== undefined && next <= rank) problems.push(`${callId}: ${type} after rank ${rank}`);
    if (type === "CallMessageAdded" && rank > 4) problems.push(`${callId}: a message after the end`);
    rank = Math.max(rank, next ?? rank);
  }
  if (rank < 5) problems.push(`${callId} never ended`);
  return problems;
}
