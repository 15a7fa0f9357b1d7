import type { ShownMessage } from "../../contract/conversation.ts";
import type { CallToolBegan, ToolCallId } from "../../domain/call/conversation-events.ts";
import type { CallEvent } from "../../domain/call/events.ts";
import { heardOptOut, newOptOutBook } from "../../domain/conversation/opt-out.ts";
import type { RunFacts, RunFigures } from "../../domain/rehearsal/run-result.ts";
import type { AssistantId } from "../../domain/shared/ids.ts";
import type { JsonValue } from "../../domain/shared/json.ts";
import { changedMessage, messageOf, toolCallIdOf } from "../call/shown-messages.ts";
import type { PinnedConversation, PinnedSpeaker } from "../ports/pinned-conversations.ts";

/** What the events of a run tell, beside what was analysed. */
export type ToldRun = Omit<RunFacts, "outcome" | "messages"> & {
  readonly messages: readonly ShownMessage[];
  /** Why a turn had no answer: our code of the first one; null: every turn had one. */
  readonly failedTurn: string | null;
} & Pick<RunFigures, "toolCalls" | "firstTokenMillis">;

/** `asked`: calls of tools that were answered as if they had been executed; others were refused. */
export function readRun(
  events: readonly CallEvent[],
  { speakers }: PinnedConversation,
  asked: ReadonlySet<ToolCallId>,
): ToldRun {
  const messages = messagesOf(events);
  const book = newOptOutBook();
  const speakerOf = (id: AssistantId | null) => speakers.find(({ assistantId }) => assistantId === id) ?? null;
  const tools = events.filter((event) => event.type === "CallToolBegan");
  const refused = new Set(
    events.flatMap(({ type, data }) =>
      type === "CallToolEnded" && data.outcome === "refused" ? [data.toolCallId] : [],
    ),
  );
  return {
    messages,
    endReason: events.find((event) => event.type === "CallCompleted" || event.type === "CallFailed")?.data.endReason ?? null,
    optedOut: events.some((event) => heardOptOut(book, event, speakerOf) !== null),
    callback: (events.findLast((event) => event.type === "CallCallbackAgreed")?.data.asked ?? null) !== null,
    turns: Math.max(0, ...messages.map(({ turn = 0 }) => turn)),
    tools: tools
      .filter(({ data }) => asked.has(data.toolCallId) || !refused.has(data.toolCallId))
      .map(({ data }) => ({
        names: namesOf(data, speakers),
        arguments: data.arguments,
        messageIndex: data.messageIndex,
      })),
    handoffs: events.flatMap(({ type, data }) => {
      if (type !== "CallHandedOver") return [];
      const to = speakers.find(({ memberId }) => memberId === data.toMemberId);
      return [{ names: [data.toMemberId, ...(to === undefined ? [] : [to.name])], messageIndex: data.messageIndex }];
    }),
    failedTurn: events.find((event) => event.type === "CallTurnFailed")?.data.kind ?? null,
    toolCalls: tools.length,
    firstTokenMillis: medianOf(messages.flatMap(({ timing }) => timing?.firstTokenMillis ?? [])),
  };
}

/** As the record of a call shows them. */
function messagesOf(events: readonly CallEvent[]): readonly ShownMessage[] {
  const messages = new Map<number, ShownMessage>();
  const ofTools = new Map<ToolCallId, number>();
  for (const event of events) {
    const message = messageOf(event);
    if (message !== null) messages.set(message.index, message);
    if (event.type === "CallToolBegan") ofTools.set(event.data.toolCallId, event.data.messageIndex);
    if (event.type !== "CallSpeechCut" && event.type !== "CallToolEnded") continue;
    const index = event.type === "CallSpeechCut" ? event.data.messageIndex : ofTools.get(event.data.toolCallId);
    const before = index === undefined ? undefined : messages.get(index);
    if (before !== undefined) messages.set(before.index, changedMessage(before, event));
  }
  return [...messages.values()].sort((a, b) => a.index - b.index);
}

/** Of a tool of the owner also the name that it has there. */
function namesOf({ toolId, toolName }: CallToolBegan["data"], speakers: readonly PinnedSpeaker[]) {
  const tool = speakers.flatMap(({ tools }) => tools).find((each) => each.toolId === toolId);
  return tool === undefined ? [toolName] : [tool.name, toolName];
}

/** null: there are none. */
function medianOf(millis: readonly number[]): number | null {
  return millis.toSorted((a, b) => a - b)[Math.floor((millis.length - 1) / 2)] ?? null;
}
