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
  const past = initialPast();
  let request: CallRequested["data"] | null = null;
  for await (const { event } of recordedEvents(deps, callStream(callId))) {
    if (!isCallEvent(event)) continue;
    if (event.type === "CallRequested") request = event.data;
    evolvePast(past, event);
  }
  if (request === null) return null;
  const pinned = request.pinned === undefined ? null : await deps.pinnedConversations.read(request.pinned);
  const [first, ...others] = ordered(pinned?.speakers ?? [], request);
  const script = scriptOf(request, pinned?.squadName ?? null, [first, ...others]);
  return { request, past, script, speakers: [first, ...others] };
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
    speakers,
  };
}
