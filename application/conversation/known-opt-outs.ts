import type { CallEvent } from "../../domain/call/events.ts";
import {
  heardOptOut,
  newOptOutBook,
  type SaidOptOut,
  STOP_CALLING,
} from "../../domain/conversation/opt-out.ts";
import { isCallEvent } from "../../domain/event-kinds.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { recordedEvents } from "../log/recorded-events.ts";
import { callStream } from "../log/stream-names.ts";
import type { EventCodec } from "../ports/event-codec.ts";
import type { EventStore } from "../ports/event-store.ts";
import type { PinnedConversation, PinnedConversations } from "../ports/pinned-conversations.ts";
import { createRecentMap } from "../recent-map.ts";

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

/** Events of a call of which the judge takes something. `next`: the next index of a message. */
type Kept = { next: number; readonly events: CallEvent[] };

export function createKnownOptOuts(deps: OptOutDeps): KnownOptOuts {
  const calls = createRecentMap<CallId, Kept>(KEPT_CALLS);
  const pinned = createRecentMap<string, PinnedConversation>(KEPT_PINNED);
  const pinnedOf = async (sha256: string) => {
    const read = pinned.get(sha256) ?? (await deps.pinnedConversations.read(sha256));
    if (read !== null) pinned.set(sha256, read);
    return read?.speakers ?? [];
  };
  return {
    hear: (event) => {
      const known = calls.get(event.data.callId);
      if (known !== undefined) keep(known, event);
      else if (event.type === "CallRequested") calls.set(event.data.callId, { next: 0, events: [event] });
    },
    of: async (callId) => {
      const { events } = calls.get(callId) ?? (await readKept(deps, callId));
      const request = events[0];
      if (request?.type !== "CallRequested" || events.length === 1) return null;
      const { pinned: sha256 } = request.data;
      const speakers = sha256 === undefined ? [] : await pinnedOf(sha256);
      const book = newOptOutBook();
      for (const event of events) {
        if (event.type === "CallOptedOut") return event.data;
        const said = heardOptOut(
          book,
          event,
          (id) => speakers.find(({ assistantId }) => assistantId === id) ?? null,
        );
        if (said !== null) return said;
      }
      return null;
    },
  };
}

async function readKept(deps: OptOutDeps, callId: CallId): Promise<Kept> {
  const kept: Kept = { next: 0, events: [] };
  for await (const { event } of recordedEvents(deps, callStream(callId))) {
    if (!isCallEvent(event)) continue;
    if (event.type === "CallRequested") kept.events.push(event);
    else keep(kept, event);
  }
  return kept;
}

function keep(kept: Kept, event: CallEvent): void {
  switch (event.type) {
    case "CallConnected":
    case "CallMachineJudged":
    case "CallDigitsReceived":
    case "CallOptedOut":
      kept.events.push(event);
      return;
    case "CallMessageAdded":
      if (isNext(kept, event.data.message.index) && event.data.message.role === "customer")
        kept.events.push(event);
      return;
    case "CallToolBegan":
      if (isNext(kept, event.data.messageIndex) && event.data.toolName === STOP_CALLING)
        kept.events.push(event);
      return;
    case "CallHandedOver":
      if (isNext(kept, event.data.messageIndex)) kept.events.push(event);
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
