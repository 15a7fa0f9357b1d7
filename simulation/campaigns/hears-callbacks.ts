import type { Aggregates } from "../../application/log/aggregates.ts";
import { processOrigin } from "../../application/log/append-events.ts";
import { recordedEvents } from "../../application/log/recorded-events.ts";
import { callStream } from "../../application/log/stream-names.ts";
import type { CarrierEvent } from "../../application/ports/carrier.ts";
import type { Clock } from "../../application/ports/clock.ts";
import type { EventCodec } from "../../application/ports/event-codec.ts";
import type { EventStore } from "../../application/ports/event-store.ts";
import type { PinnedConversations } from "../../application/ports/pinned-conversations.ts";
import { isRefusedForGood } from "../../application/refused-for-good.ts";
import type { CallCallbackAgreed, CallRequested } from "../../domain/call/events.ts";
import { callbackMoment } from "../../domain/campaign/window/callback-moment.ts";
import { CALL_BACK_LATER } from "../../domain/conversation/script.ts";
import { noEvidence } from "../../domain/conversation/tool-words.ts";
import { instantFromMillis, millisOf } from "../../domain/shared/instant.ts";
import { localTime } from "../../domain/window/call-window.ts";

/** What a simulated callee says who wants to be called another time, and who has thought better of it. */
export const CALL_AGAIN = "I cannot talk now. Please call me again in two minutes.";
export const NOT_AFTER_ALL = "No, you need not call me again in two minutes.";

const AHEAD_MILLIS = 2 * 60_000;

type Deps = {
  readonly aggregates: Pick<Aggregates, "calls">;
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  readonly pinnedConversations: Pick<PinnedConversations, "read">;
  readonly clock: Clock;
};

type Agreement = Omit<CallCallbackAgreed["data"], "callId" | "at" | "epoch" | "messageIndex">;

/**
 * Stands for the conversation of a process: hears who asks to be called again, or takes that back, opens a
 * session of its own for it, appends what call_back_later would, and ends it. When the process dies before,
 * nothing is agreed.
 */
export function hearsCallbacks(deps: Deps): (event: CarrierEvent) => Promise<void> {
  return async (event) => {
    if (event.type !== "message" || event.role !== "customer") return;
    const wants = event.content === CALL_AGAIN;
    if (!wants && event.content !== NOT_AFTER_ALL) return;
    const request = await requestOf(deps, event.callId);
    if (request === null) return;
    const callback = wants ? await agreedBy(deps, request) : TAKEN_BACK;
    if (callback !== null) await agree(deps, request, callback);
  };
}

const TAKEN_BACK: Agreement = { asked: null, callbackAt: null, zone: null, moved: false, note: null };

async function requestOf(deps: Deps, callId: CarrierEvent["callId"]): Promise<CallRequested["data"] | null> {
  for await (const { event } of recordedEvents(deps, callStream(callId)))
    if (event.type === "CallRequested") return event.data;
  return null;
}

/** null: nothing, because the assistant may not, or the time may not be agreed. */
async function agreedBy(deps: Deps, request: CallRequested["data"]): Promise<Agreement | null> {
  const { callback: terms, campaignId, pinned } = request;
  const now = deps.clock.now();
  const later = instantFromMillis(millisOf(now) + AHEAD_MILLIS);
  const note = `asked on ${request.callId}`;
  if (terms === undefined) {
    const conversation = pinned === undefined ? null : await deps.pinnedConversations.read(pinned);
    if (campaignId !== null || conversation?.speakers[0]?.callback == null) return null;
    return { asked: later.slice(0, 16), callbackAt: null, zone: null, moved: false, note };
  }
  const asked = localTime(terms.zone, later).localTime.slice(0, 16);
  const moment = callbackMoment(asked, terms, now);
  if ("refused" in moment) return null;
  return { asked, callbackAt: moment.at, zone: terms.zone, moved: moment.moved, note };
}

/** As the conversation appends it: the tool call, what was agreed, its answer. */
async function agree(
  { aggregates, clock }: Deps,
  { callId, owner, assistant }: CallRequested["data"],
  callback: Agreement,
): Promise<void> {
  const stream = callStream(callId);
  const before = await aggregates.calls.query(stream, ({ lastEpoch }) => lastEpoch, { fresh: true });
  const now = clock.now();
  const fact = { epoch: (before ?? 0) + 1, at: now, now };
  const toolCallId = `${callId}-${fact.epoch}`;
  const { assistantId } = assistant;
  const asked = { toolId: null, toolName: CALL_BACK_LATER, arguments: { at: callback.asked } };
  const tool = { toolCallId, assistantId, ...asked, repeatable: true, turn: fact.epoch };
  const answer = { toolCallId, shown: "Agreed.", isError: false, evidence: noEvidence };
  try {
    await aggregates.calls.handle(
      stream,
      [
        { type: "BeginSession", kind: "in_process", now },
        { type: "BeginTool", tool, ...fact },
        { type: "AgreeCallback", callback, ...fact },
        { type: "EndTool", result: { ...answer, outcome: "answered" }, ...fact },
        { type: "EndSession", cause: "finished", ...fact },
      ],
      processOrigin("conversation", owner, callId),
    );
  } catch (error) {
    // The call is over, or another process heard it too.
    if (!isRefusedForGood(error)) throw error;
  }
}
