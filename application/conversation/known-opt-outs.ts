import { isCallEnd } from "../../domain/call/end-reason.ts";
import type { CallEvent, CallRequested } from "../../domain/call/events.ts";
import {
  heardOptOut,
  newOptOutBook,
  type OptOutBook,
  type SaidOptOut,
  STOP_CALLING,
} from "../../domain/conversation/opt-out.ts";
import { isCallEvent } from "../../domain/event-kinds.ts";
import type { AssistantId, CallId } from "../../domain/shared/ids.ts";
import { recordedEvents } from "../log/recorded-events.ts";
import { callStream } from "../log/stream-names.ts";
import type { EventCodec } from "../ports/event-codec.ts";
import type { EventStore } from "../ports/event-store.ts";
import type { PinnedConversation, PinnedConversations } from "../ports/pinned-conversations.ts";
import { createLiveMap, createRecentMap } from "../recent-map.ts";

const KEPT_CALLS = 10_000;
const KEPT_PINNED = 200;

/**
 * Whether a call was an opt-out, by the judge of the conversation over the events of the call: known before
 * the reaction has recorded it. Calls on the feed are judged from memory; any other is read from its stream.
 */
export type KnownOptOuts = {
  /** An event of the feed, in order; the same again changes nothing. */
  readonly hear: (event: CallEvent) => void;
  /** By what was heard so far; null: it said none. Rejects as the log does. */
  readonly of: (callId: CallId) => Promise<SaidOptOut | null>;
};

export type OptOutDeps = {
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  readonly pinnedConversations: Pick<PinnedConversations, "read">;
};

/** What the judge takes of a call; each event is judged once. */
type Kept = {
  /** The next index of a message. */
  next: number;
  readonly pinned: string | undefined;
  readonly book: OptOutBook;
  readonly unjudged: CallEvent[];
  said: SaidOptOut | null;
};

export function createKnownOptOuts(deps: OptOutDeps): KnownOptOuts {
  const calls = createLiveMap<CallId, Kept>(KEPT_CALLS);
  const pinned = createRecentMap<string, PinnedConversation>(KEPT_PINNED);
  const pinnedOf = async (sha256: string) => {
    const read = pinned.get(sha256) ?? (await deps.pinnedConversations.read(sha256));
    if (read !== null) pinned.set(sha256, read);
    return read?.speakers ?? [];
  };
  const judge = async (kept: Kept): Promise<SaidOptOut | null> => {
    if (kept.said !== null || kept.unjudged.length === 0) return kept.said;
    const speakers = kept.pinned === undefined ? [] : await pinnedOf(kept.pinned);
    const speakerOf = (id: AssistantId | null) =>
      speakers.find(({ assistantId }) => assistantId === id) ?? null;
    for (const event of kept.unjudged.splice(0))
      kept.said ??= event.type === "CallOptedOut" ? event.data : heardOptOut(kept.book, event, speakerOf);
    return kept.said;
  };
  return {
    hear: (event) => {
      const { callId } = event.data;
      const known = calls.get(callId);
      if (known !== undefined) keep(known, event);
      else if (event.type === "CallRequested") calls.set(callId, beginKept(event));
      if (isCallEnd(event)) calls.over(callId);
    },
    of: async (callId) => {
      const kept = calls.get(callId) ?? (await readKept(deps, callId));
      return kept === null ? null : judge(kept);
    },
  };
}

function beginKept(requested: CallRequested): Kept {
  const book = newOptOutBook();
  heardOptOut(book, requested, () => null);
  return { next: 0, pinned: requested.data.pinned, book, unjudged: [], said: null };
}

/** null: there is no such call. */
async function readKept(deps: OptOutDeps, callId: CallId): Promise<Kept | null> {
  let kept: Kept | null = null;
  for await (const { event } of recordedEvents(deps, callStream(callId))) {
    if (!isCallEvent(event)) continue;
    if (event.type === "CallRequested") kept = beginKept(event);
    else if (kept !== null) keep(kept, event);
  }
  return kept;
}

function keep(kept: Kept, event: CallEvent): void {
  switch (event.type) {
    case "CallConnected":
    case "CallMachineJudged":
    case "CallDigitsReceived":
    case "CallOptedOut":
      kept.unjudged.push(event);
      return;
    case "CallMessageAdded":
      if (isNext(kept, event.data.message.index) && event.data.message.role === "customer")
        kept.unjudged.push(event);
      return;
    case "CallToolBegan":
      if (isNext(kept, event.data.messageIndex) && event.data.toolName === STOP_CALLING)
        kept.unjudged.push(event);
      return;
    case "CallHandedOver":
      if (isNext(kept, event.data.messageIndex)) kept.unjudged.push(event);
      return;
    default:
      return;
  }
}

function isNext(kept: Kept, index: number): boolean {
  if (index < kept.next) return false;
  kept.next = index + 1;
  return true;
}
