import type { ShownMessage } from "../../contract/conversation.ts";
import type {
  CallHandedOver,
  CallSpeechCut,
  CallToolBegan,
  CallToolEnded,
  ToolCallOutcome,
} from "../../domain/call/conversation-events.ts";
import type { CallEvent } from "../../domain/call/events.ts";
import { assertNever } from "../../domain/shared/errors.ts";

/** The message that an event adds to its call, in public form; null: none. */
export function messageOf(event: CallEvent): ShownMessage | null {
  switch (event.type) {
    case "CallMessageAdded":
      return event.data.message;
    case "CallToolBegan":
      return toolMessage(event.data);
    case "CallHandedOver":
      return handoffMessage(event.data);
    default:
      return null;
  }
}

/** The id by which the result finds its tool's message; null: no result follows. */
export function toolCallIdOf(event: CallEvent): string | null {
  return event.type === "CallToolBegan" ? event.data.toolCallId : null;
}

/** A message after an event about it: a cut shows what was heard, a tool's result is added. */
export function changedMessage(message: ShownMessage, event: CallSpeechCut | CallToolEnded): ShownMessage {
  switch (event.type) {
    case "CallSpeechCut":
      return { ...message, content: event.data.heard, interrupted: true, intended: message.content };
    case "CallToolEnded": {
      const { outcome, shown, isError } = event.data;
      return { ...message, content: toolWords(message.toolName ?? "", outcome), result: shown, isError };
    }
    default:
      return assertNever(event);
  }
}

function toolMessage(data: CallToolBegan["data"]): ShownMessage {
  const { messageIndex: index, assistantId, at, offsetMs, turn, toolId, toolName } = data;
  return {
    index,
    role: "tool",
    assistantId,
    content: `${toolName} was asked`,
    at,
    offsetMs,
    turn,
    ...(toolId === null ? {} : { toolId }),
    toolName,
    arguments: data.arguments,
    result: null,
  };
}

/** A text of ours, without anything to erase. */
function toolWords(toolName: string, outcome: ToolCallOutcome): string {
  switch (outcome) {
    case "answered":
      return `${toolName} answered`;
    case "failed":
      return `${toolName} failed`;
    case "timed_out":
      return `${toolName} did not answer in time`;
    case "refused":
      return `${toolName} was not asked: refused`;
    case "unknown":
      return `${toolName}: whether it was carried out is unknown`;
    default:
      return assertNever(outcome);
  }
}

function handoffMessage(data: CallHandedOver["data"]): ShownMessage {
  const { messageIndex: index, at, offsetMs, turn, toolName, from, to, toAssistantVersion } = data;
  return {
    index,
    role: "tool",
    assistantId: from,
    content: `Handed over to ${to}`,
    at,
    offsetMs,
    turn,
    toolName,
    arguments: data.variables,
    result: { assistantId: to, assistantVersion: toAssistantVersion },
    isError: false,
  };
}
