import { isCallEnd } from "../../../domain/call/end-reason.ts";
import type { CallEvent, CallRequested } from "../../../domain/call/events.ts";
import {
  heardOptOut,
  newOptOutBook,
  type OptOutBook,
  type OptOutSettings,
} from "../../../domain/conversation/opt-out.ts";
import { isCallEvent } from "../../../domain/event-kinds.ts";
import type { AssistantId, CallId } from "../../../domain/shared/ids.ts";
import type { Calls } from "../../log/aggregates.ts";
import { recordedEvents } from "../../log/recorded-events.ts";
import { callStream } from "../../log/stream-names.ts";
import type { EventCodec, RecordedEvent } from "../../ports/event-codec.ts";
import type { EventStore } from "../../ports/event-store.ts";
import type { HeardOptOut, OptOuts } from "../../ports/opt-outs.ts";
import type { PinnedConversations } from "../../ports/pinned-conversations.ts";
import { createLiveMap, createRecentMap } from "../../recent-map.ts";
import { isRefusedForGood } from "../../refused-for-good.ts";

export const OPT_OUTS = "opt-outs";

export const OPT_OUT_TYPES: readonly CallEvent["type"][] = [
  "CallRequested",
  "CallConnected",
  "CallMachineJudged",
  "CallMessageAdded",
  "CallHandedOver",
  "CallDigitsReceived",
  "CallToolBegan",
  "CallCompleted",
  "CallFailed",
  "CallOptedOut",
  "CallOptOutRevoked",
  "CallContentErased",
];

/** More than are live at once; a call beyond that is read from its stream at its next event. */
const KEPT_CALLS = 10_000;
const KEPT_CONVERSATIONS = 1_000;

export type OptOutReactionDeps = {
  readonly optOuts: OptOuts;
  readonly calls: Calls;
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  readonly pinnedConversations: Pick<PinnedConversations, "read">;
  /** A failure that goes by: the event is handled again. */
  readonly isTransient: (error: unknown) => boolean;
  /** A number was listed: its call's event is due. */
  readonly onListed: () => void;
};

/** What is known of a call: `book` up to the event `revision`. */
type KnownCall = Pick<HeardOptOut, "callId" | "owner" | "campaignId" | "phoneNumber"> & {
  readonly pinned: string | null;
  readonly book: OptOutBook;
  revision: number;
  /** What was heard and is not listed yet: a repeat after a failure goes on here. */
  unlisted: HeardOptOut | null;
  /** Something was said, and its pinned conversation is lost: nobody can tell what was asked for. */
  isUnjudged: boolean;
  /** For that its number was refused. */
  isRefused: boolean;
};

type Speakers = ReadonlyMap<AssistantId, OptOutSettings>;
const NOBODY: Speakers = new Map();

/**
 * Hears who asks never to be called again, in log order, and lists the number at once. It judges by the same
 * function as the conversation, over the same events, so that what the conversation did not finish is done
 * here. The same events again change nothing. Of an event that fails for good, or of words that cannot be
 * judged, the number is refused.
 */
export function createOptOutReaction(
  deps: OptOutReactionDeps,
): (events: readonly RecordedEvent[]) => Promise<void> {
  const known = createLiveMap<CallId, KnownCall>(KEPT_CALLS);
  const speakersOf = createSpeakers(deps.pinnedConversations);

  const knownCall = async ({ event, revision }: CallStep): Promise<KnownCall | null> => {
    const { callId } = event.data;
    const kept = known.get(callId);
    if (kept !== undefined) return kept;
    const read = await readCall(deps, speakersOf, callId, revision);
    if (read !== null) known.set(callId, read);
    return read;
  };

  const take = async (step: CallStep): Promise<void> => {
    const { event } = step;
    const { callId } = event.data;
    if (event.type === "CallRequested") {
      if (known.get(callId) === undefined) known.set(callId, beginCall(event.data));
      return;
    }
    if (event.type === "CallContentErased") return known.delete(callId);
    // What is said at the end may be in the log after it.
    if (isCallEnd(event)) return known.over(callId);
    const call = await knownCall(step);
    if (call !== null) await hearRefusing(deps, speakersOf, call, step);
  };

  return async (events) => {
    for (const recorded of events) {
      const { event } = recorded;
      if (isCallEvent(event) && mayMatter(event)) await take({ ...recorded, event });
    }
  };
}

type CallStep = RecordedEvent<CallEvent>;

/** Most events of a conversation are the assistant's words, and cost nothing here. */
function mayMatter(event: CallEvent): boolean {
  return event.type !== "CallMessageAdded" || event.data.message.role === "customer";
}

function beginCall(request: CallRequested["data"]): KnownCall {
  const { callId, owner, campaignId, to } = request;
  const book = newOptOutBook();
  heardOptOut(book, { type: "CallRequested", data: request }, () => null);
  const pinned = request.pinned ?? null;
  return {
    callId,
    owner,
    campaignId,
    phoneNumber: to,
    pinned,
    book,
    revision: 0,
    unlisted: null,
    isUnjudged: false,
    isRefused: false,
  };
}

/** As it was before the event `revision`; null: there is no such call, or its first event cannot be read. */
async function readCall(
  deps: OptOutReactionDeps,
  speakersOf: SpeakersOf,
  callId: CallId,
  revision: number,
): Promise<KnownCall | null> {
  let call: KnownCall | null = null;
  for await (const recorded of recordedEvents(deps, callStream(callId))) {
    if (recorded.revision >= revision) break;
    const { event } = recorded;
    if (!isCallEvent(event) || !mayMatter(event)) continue;
    if (event.type === "CallRequested") call = beginCall(event.data);
    else if (call !== null) await fold(speakersOf, call, { ...recorded, event });
  }
  return call;
}

/** Each event once, also when a batch is handled again after a failure. */
async function fold(
  speakersOf: SpeakersOf,
  call: KnownCall,
  { event, revision }: Pick<CallStep, "event" | "revision">,
): Promise<void> {
  if (revision <= call.revision) return;
  const isJudged = isSaid(event) && !call.book.isSaid && !call.isUnjudged;
  const speakers = isJudged ? await speakersOf(call.pinned) : NOBODY;
  if (speakers === null) call.isUnjudged = true;
  const said = heardOptOut(call.book, event, (id) => (id === null ? null : (speakers?.get(id) ?? null)));
  call.revision = revision;
  if (said === null) return;
  const { callId, owner, campaignId, phoneNumber } = call;
  call.unlisted = { callId, owner, campaignId, phoneNumber, ...said };
}

function isSaid({ type }: CallEvent): boolean {
  return type === "CallMessageAdded" || type === "CallDigitsReceived" || type === "CallToolBegan";
}

async function hearRefusing(
  deps: OptOutReactionDeps,
  speakersOf: SpeakersOf,
  call: KnownCall,
  step: CallStep,
): Promise<void> {
  try {
    await hear(deps, speakersOf, call, step);
  } catch (error) {
    if (!deps.isTransient(error)) await deps.optOuts.refuse(call);
    throw error;
  }
}

async function hear(
  deps: OptOutReactionDeps,
  speakersOf: SpeakersOf,
  call: KnownCall,
  step: CallStep,
): Promise<void> {
  const { event } = step;
  if (event.type === "CallOptedOut" || event.type === "CallOptOutRevoked") return keepUp(deps, call);
  await fold(speakersOf, call, step);
  const { unlisted } = call;
  if (call.isUnjudged && !call.isRefused) {
    await deps.optOuts.refuse(call);
    call.isRefused = true;
  }
  if (unlisted === null) return;
  if ((await optedOut(deps, call.callId)) === null) {
    await deps.optOuts.list(unlisted);
    deps.onListed();
  }
  call.unlisted = null;
}

/** What is in the log already: then nothing is to be done, also when the number was taken off the list. */
async function optedOut({ calls }: OptOutReactionDeps, callId: CallId) {
  try {
    return await calls.query(callStream(callId), (state) => state.optedOut);
  } catch (error) {
    if (!isRefusedForGood(error)) throw error;
    return null; // it cannot be read: what was heard is listed
  }
}

/** The rows follow the log: those of a restored database may be missing. */
async function keepUp({ calls, optOuts }: OptOutReactionDeps, call: KnownCall): Promise<void> {
  const { callId, owner, campaignId, phoneNumber } = call;
  const state = await calls.query(callStream(callId), (state) => state.optedOut, { fresh: true });
  if (state === null) return;
  const { revoked, by, messageIndex, saidAt } = state;
  const heard = { callId, owner, campaignId, phoneNumber, by, messageIndex, saidAt };
  await (revoked ? optOuts.revoked(heard) : optOuts.recorded(heard));
}

/** null: what is pinned is not there any more. */
type SpeakersOf = (pinned: string | null) => Promise<Speakers | null>;

/** Where nothing is pinned (an old call), nobody listens. */
function createSpeakers(conversations: Pick<PinnedConversations, "read">): SpeakersOf {
  const kept = createRecentMap<string, Speakers>(KEPT_CONVERSATIONS);
  return async (pinned) => {
    if (pinned === null) return NOBODY;
    const found = kept.get(pinned);
    if (found !== undefined) return found;
    const conversation = await conversations.read(pinned);
    if (conversation === null) return null;
    const speakers: Speakers = new Map(conversation.speakers.map((each) => [each.assistantId, each]));
    kept.set(pinned, speakers);
    return speakers;
  };
}
