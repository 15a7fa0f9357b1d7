import type { CallSpeechCut, ToolCallId } from "../../domain/call/conversation-events.ts";
import type { CallEvent } from "../../domain/call/events.ts";
import type { AuditedEvent, Report } from "./broken-rule.ts";
import type { AuditedCall, AuditedConversation, CallStep } from "./campaign-book.ts";

/** Events that a conversation may record for a short time after the end of the call. */
const LAST_WORDS: ReadonlySet<CallEvent["type"]> = new Set([
  "CallMessageAdded",
  "CallSpeechCut",
  "CallDigitsReceived",
  "CallToolEnded",
  "CallSessionEnded",
]);
const LAST_WORDS_MILLIS = 3_000;

/** Events of the latest session that came right after the end of the call. */
export function areLastWords({ end }: AuditedCall, { event }: CallStep): boolean {
  if (end === null || !LAST_WORDS.has(event.type) || epochOf(event) === null) return false;
  return Date.parse(event.data.at) <= Date.parse(end.event.data.at) + LAST_WORDS_MILLIS;
}

/** One event of a conversation; events that the carrier reported are ignored. */
export function readConversationStep(call: AuditedCall, recorded: CallStep, report: Report): void {
  const epoch = epochOf(recorded.event);
  if (epoch === null) return;
  call.conversation ??= createConversation(call);
  judgeEpoch(call.conversation, recorded, epoch, report);
  readWords(call.conversation, recorded, report);
}

function readWords(conversation: AuditedConversation, recorded: CallStep, report: Report): void {
  const { event } = recorded;
  switch (event.type) {
    case "CallMessageAdded": {
      const { index, content, role, assistantId } = event.data.message;
      conversation.messages.set(index, content);
      if (role === "assistant") judgeSpeaker(conversation, recorded, assistantId, report);
      return;
    }
    case "CallSpeechCut":
      readCut(conversation, recorded, event.data, report);
      return;
    case "CallToolBegan":
      judgeSpeaker(conversation, recorded, event.data.assistantId, report);
      readTool(conversation, recorded, event.data.toolCallId, "open", report);
      return;
    case "CallToolEnded":
      readTool(conversation, recorded, event.data.toolCallId, "ended", report);
      return;
    case "CallHandedOver":
      judgeSpeaker(conversation, recorded, event.data.from, report);
      conversation.speaker = event.data.to;
      return;
    default:
      return;
  }
}

function epochOf(event: CallEvent): number | null {
  return "epoch" in event.data ? (event.data.epoch ?? null) : null;
}

function createConversation({ request }: AuditedCall): AuditedConversation {
  return {
    epoch: 0,
    isOpen: false,
    speaker: request?.event.data.assistant.assistantId ?? null,
    messages: new Map(),
    cut: new Set(),
    tools: new Map(),
  };
}

function judgeEpoch(
  conversation: AuditedConversation,
  recorded: CallStep,
  epoch: number,
  report: Report,
): void {
  const { type } = recorded.event;
  if (type === "CallSessionBegan") {
    if (epoch !== conversation.epoch + 1)
      report("sessions-in-order", `Session ${epoch} follows ${conversation.epoch}`, recorded);
    conversation.epoch = epoch;
    conversation.isOpen = true;
    return;
  }
  if (epoch !== conversation.epoch || !conversation.isOpen)
    report(
      "sessions-in-order",
      `${type} of session ${epoch} while ${conversation.epoch} is the latest`,
      recorded,
    );
  if (type === "CallSessionEnded") conversation.isOpen = false;
}

function readCut(
  { messages, cut }: AuditedConversation,
  recorded: AuditedEvent,
  { messageIndex, heard }: CallSpeechCut["data"],
  report: Report,
): void {
  const content = messages.get(messageIndex);
  if (content === undefined || cut.has(messageIndex))
    report(
      "heard-was-said",
      `Message ${messageIndex} is cut ${content === undefined ? "and was never said" : "twice"}`,
      recorded,
    );
  else if (content !== null && heard !== null && !content.startsWith(heard))
    report("heard-was-said", `What was heard of message ${messageIndex} is no beginning of it`, recorded);
  cut.add(messageIndex);
}

function readTool(
  { tools }: AuditedConversation,
  recorded: AuditedEvent,
  toolCallId: ToolCallId,
  becomes: "open" | "ended",
  report: Report,
): void {
  const before = tools.get(toolCallId);
  if (becomes === "open" && before !== undefined) report("tool-once", `${toolCallId} begins twice`, recorded);
  if (becomes === "ended" && before !== "open")
    report("tool-once", `${toolCallId} ends without being under way`, recorded);
  tools.set(toolCallId, becomes);
}

/** For messages and tools of assistants; a message without an assistant is ignored. */
function judgeSpeaker(
  { speaker }: AuditedConversation,
  recorded: CallStep,
  assistantId: string | null,
  report: Report,
): void {
  if (assistantId !== null && speaker !== null && assistantId !== speaker)
    report("handoff-speaks-on", `${assistantId} speaks, not ${speaker}`, recorded);
}
