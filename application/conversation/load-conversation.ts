import type { CallRequested } from "../../domain/call/events.ts";
import { evolvePast, initialPast, type Past } from "../../domain/conversation/past.ts";
import type { Script } from "../../domain/conversation/script.ts";
import { isCallEvent } from "../../domain/event-kinds.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { recordedEvents } from "../log/recorded-events.ts";
import { callStream } from "../log/stream-names.ts";
import type { PinnedSpeaker } from "../ports/pinned-conversations.ts";
import { DEFAULT_CONVERSATION } from "../settings.ts";
import type { ConversationDeps } from "./conversation-deps.ts";

export type LoadedConversation = {
  readonly request: CallRequested["data"];
  readonly past: Past;
  readonly script: Script;
  /** The speakers of the script, with what only the ports need. */
  readonly speakers: readonly PinnedSpeaker[];
};

/** The conversation of a call from its events; null: the call does not exist. */
export async function loadConversation(
  deps: Pick<ConversationDeps, "eventStore" | "codec" | "pinnedConversations">,
  callId: CallId,
): Promise<LoadedConversation | null> {
  let speakers: Speakers | null = null;
  const past = initialPast((id) => speakers?.find(({ assistantId }) => assistantId === id) ?? null);
  let squadName: string | null = null;
  let request: CallRequested["data"] | null = null;
  for await (const { event } of recordedEvents(deps, callStream(callId))) {
    if (!isCallEvent(event)) continue;
    if (event.type === "CallRequested") {
      request = event.data;
      const pinned =
        request.pinned === undefined ? null : await deps.pinnedConversations.read(request.pinned);
      speakers = ordered(pinned?.speakers ?? [], request);
      squadName = pinned?.squadName ?? null;
    }
    evolvePast(past, event);
  }
  if (request === null || speakers === null) return null;
  const agreedBefore = await agreedIn(deps, request);
  return { request, past, script: { ...scriptOf(request, squadName, speakers), agreedBefore }, speakers };
}

/** What was agreed in the call before: read each time, so that nothing is left of a note that is erased. */
async function agreedIn(
  deps: Pick<ConversationDeps, "eventStore" | "codec">,
  { callbackOf, owner }: CallRequested["data"],
): Promise<NonNullable<Script["agreedBefore"]> | null> {
  if (callbackOf === undefined) return null;
  let note: string | null = null;
  for await (const { event } of recordedEvents(deps, callStream(callbackOf))) {
    if (event.type === "CallRequested" && event.data.owner !== owner) return { note: null };
    if (event.type === "CallCallbackAgreed") note = event.data.note;
    if (event.type === "CallContentErased") note = null;
  }
  return { note };
}

/** Whether the log says that the customer asked never to be called again; null: it cannot be read. */
export async function saysOptOut(
  deps: Pick<ConversationDeps, "eventStore" | "codec" | "pinnedConversations" | "logger">,
  callId: CallId,
): Promise<boolean | null> {
  try {
    const loaded = await loadConversation(deps, callId);
    return loaded !== null && loaded.past.optOut !== null;
  } catch (error) {
    deps.logger.error({ callId, error }, "an opt-out could not be read back before it is confirmed");
    return null;
  }
}

type Speakers = readonly [PinnedSpeaker, ...PinnedSpeaker[]];

/** The call's own assistant speaks first. */
function ordered(speakers: readonly PinnedSpeaker[], request: CallRequested["data"]): Speakers {
  const { assistantId } = request.assistant;
  const first = speakers.find((each) => each.assistantId === assistantId);
  if (first === undefined) return [plainSpeaker(request), ...speakers];
  return [first, ...speakers.filter((each) => each !== first)];
}

/** For a call from before conversations were pinned: the data of its request, and defaults. */
function plainSpeaker({ assistant }: CallRequested["data"]): PinnedSpeaker {
  return {
    memberId: null,
    ...assistant,
    systemPrompt: `You are ${assistant.name}. You are on the phone: answer in one or two short sentences.`,
    ...DEFAULT_CONVERSATION,
    // Nobody would list whoever asks for it.
    optOut: "off",
    tools: [],
    handoffs: [],
  };
}

function scriptOf(request: CallRequested["data"], squadName: string | null, speakers: Speakers): Script {
  const { callId, campaignId, to, from, contactName, customData, greetingMessage } = request;
  const { specialInstructions, voicemailPolicy, voicemailMessage, maxDurationSeconds } = request;
  return {
    callId,
    campaignId,
    to,
    from,
    contactName,
    customData,
    greetingMessage,
    specialInstructions,
    voicemailPolicy,
    voicemailMessage,
    maxDurationSeconds,
    squadName,
    callback: request.callback ?? null,
    speakers,
  };
}
