import type { ShownMessage } from "../../contract/conversation.ts";
import type { CallToolBegan, ToolCallId } from "../../domain/call/conversation-events.ts";
import type { EndReason } from "../../domain/call/end-reason.ts";
import type { CallEvent } from "../../domain/call/events.ts";
import { heardOptOut, newOptOutBook } from "../../domain/conversation/opt-out.ts";
import type { RunFacts, RunFigures } from "../../domain/rehearsal/run-result.ts";
import type { AssistantId } from "../../domain/shared/ids.ts";
import type { PinnedConversation, PinnedSpeaker } from "../ports/pinned-conversations.ts";
import { addEvent, beginCallFacts, type CallFacts } from "../webhook/call-facts.ts";

/** What the events of a run tell, beside what was analysed. */
type ToldRun = {
  readonly facts: Omit<RunFacts, "outcome">;
  readonly messages: readonly ShownMessage[];
  readonly figures: Pick<RunFigures, "turns" | "toolCalls" | "firstTokenMillis">;
  /** Why the assistant could not answer, in a sentence; null: it always could. */
  readonly problem: string | null;
};

/** `asked`: calls of tools that leave the house. What was refused before is no use of a tool. */
export function readRun(
  events: readonly CallEvent[],
  { speakers }: PinnedConversation,
  asked: ReadonlySet<ToolCallId>,
): ToldRun {
  const { messages, end, callback } = callFactsOf(events);
  const tools = events.filter((event) => event.type === "CallToolBegan").map(({ data }) => data);
  const refused = new Set(
    events.flatMap(({ type, data }) =>
      type === "CallToolEnded" && data.outcome === "refused" && !asked.has(data.toolCallId)
        ? [data.toolCallId]
        : [],
    ),
  );
  const endReason = end?.data.endReason ?? null;
  const turns = Math.max(0, ...messages.map(({ turn }) => turn ?? 0));
  return {
    messages,
    figures: { turns, toolCalls: tools.length, firstTokenMillis: firstTokenOf(messages) },
    problem: problemOf(events, endReason),
    facts: {
      messages: messages.map(({ index, role, content, intended = null, kind = null }) => ({
        ...{ index, role, content, intended, kind },
      })),
      endReason,
      turns,
      optedOut: isOptedOut(events, speakers),
      callback: callback !== null,
      tools: tools
        .filter(({ toolCallId }) => !refused.has(toolCallId))
        .map((tool) => ({
          names: namesOf(tool, speakers),
          arguments: tool.arguments,
          messageIndex: tool.messageIndex,
        })),
      handoffs: events.flatMap(({ type, data }) =>
        type === "CallHandedOver"
          ? [{ names: [data.toMemberId, nameOf(data.to, speakers)], messageIndex: data.messageIndex }]
          : [],
      ),
    },
  };
}

function isOptedOut(events: readonly CallEvent[], speakers: readonly PinnedSpeaker[]): boolean {
  const book = newOptOutBook();
  const speaker = (id: AssistantId | null) => speakers.find(({ assistantId }) => assistantId === id) ?? null;
  return events.some((event) => heardOptOut(book, event, speaker) !== null);
}

function problemOf(events: readonly CallEvent[], endReason: EndReason | null): string | null {
  const failed = events.find((event) => event.type === "CallTurnFailed");
  if (failed !== undefined)
    return `The assistant had no answer in turn ${failed.data.turn}: ${failed.data.kind}`;
  return endReason === "assistant_error" ? "The conversation broke off" : null;
}

/** Its messages, its end and its callback: as the webhooks of a call tell them. */
function callFactsOf([requested, ...more]: readonly CallEvent[]): CallFacts {
  if (requested?.type !== "CallRequested") throw new Error("The log of a run does not begin with its call");
  const facts = beginCallFacts(requested.data);
  for (const event of more) addEvent(facts, event);
  return facts;
}

/** Of a tool of the owner also the name that it has there. */
function namesOf({ toolId, toolName }: CallToolBegan["data"], speakers: readonly PinnedSpeaker[]) {
  const tool = speakers.flatMap(({ tools }) => tools).find((each) => each.toolId === toolId);
  return tool === undefined ? [toolName] : [tool.name, toolName];
}

function nameOf(id: AssistantId, speakers: readonly PinnedSpeaker[]): string {
  return speakers.find(({ assistantId }) => assistantId === id)?.name ?? id;
}

/** The median; null: no model was asked. */
function firstTokenOf(messages: readonly ShownMessage[]): number | null {
  const millis = messages.flatMap(({ timing }) => timing?.firstTokenMillis ?? []);
  return millis.sort((a, b) => a - b)[Math.floor((millis.length - 1) / 2)] ?? null;
}
