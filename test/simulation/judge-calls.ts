import type { CallEvent, CallRequested } from "../../domain/call/events.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import type { ObservedEvent, Observer } from "./observer.ts";
import type { Scenario } from "./scenario.ts";
import type { Shared } from "./shared-world.ts";

/** A request may be on its way for so long after the last moment at which it may be sent. */
const ON_ITS_WAY_MILLIS = 15_000;
/** A suppression is looked up this shortly before the dial. */
const SUPPRESSION_SEEN_MILLIS = 1_000;

type CallStory = {
  readonly request: CallRequested["data"];
  readonly events: CallEvent[];
  /** When CallDialingBegan was in the log. */
  beganAt: number | null;
};

/** I3 and I5 for calls: the carrier's journal against the log, and each call's own history. */
export function judgeCalls({ carrier }: Shared, scenario: Scenario, observer: Observer): readonly string[] {
  const stories = storiesOf(observer.events);
  const problems: string[] = [];
  const dialled = new Set<CallId>();
  const rung = new Set(carrier.journal.filter(({ accepted }) => accepted).map(({ callId }) => callId));
  for (const { callId, at } of carrier.journal) {
    if (dialled.has(callId)) problems.push(`${callId} was dialled twice`);
    dialled.add(callId);
    problems.push(...judgeDial(stories.get(callId), callId, at, observer));
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
    for (const callId of carrier.liveCalls()) problems.push(`${callId} goes on at the carrier`);
  }
  return problems;
}

/** A carrier that does not answer cannot be told to let go; then its own limits end the call. */
function canBeReached({ faults, actions }: Scenario): boolean {
  return (
    faults.hangUpUnknown + faults.lookupUnavailable === 0 &&
    actions.every(({ kind }) => kind !== "carrier away")
  );
}

function storiesOf(events: readonly ObservedEvent[]): Map<CallId, CallStory> {
  const stories = new Map<CallId, CallStory>();
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
  story: CallStory | undefined,
  callId: CallId,
  at: number,
  { suppressions }: Observer,
): readonly string[] {
  const beganAt = story?.beganAt ?? null;
  if (story === undefined || beganAt === null) return [`${callId} was dialled before it was written`];
  const problems: string[] = [];
  const { to, dialBy } = story.request;
  const began = story.events.find((event) => event.type === "CallDialingBegan")?.data.at ?? "";
  if (began > dialBy) problems.push(`${callId} began at ${began}, after its dialBy ${dialBy}`);
  if (at - beganAt > ON_ITS_WAY_MILLIS)
    problems.push(`${callId} reached the carrier ${at - beganAt} ms after it began`);
  for (const suppression of suppressions) {
    const known = beganAt - suppression.at > SUPPRESSION_SEEN_MILLIS;
    if (suppression.number === to && known) problems.push(`${callId} was dialled after ${to} was suppressed`);
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

/** Begins once, only goes forward, ends once, and after the end nothing is applied but the recording. */
function judgeHistory(callId: CallId, { events }: CallStory): readonly string[] {
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
