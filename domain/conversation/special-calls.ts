import type { JsonObject } from "../shared/json.ts";
import { beginEnding } from "./ending.ts";
import type { AskedCall } from "./inputs.ts";
import { HANDOFFS_BETWEEN_TURNS, HANDOFFS_OF_A_CALL } from "./limits.ts";
import type { Move } from "./move.ts";
import { offersOf, schemaOf } from "./offered-tools.ts";
import { readArguments } from "./reading-arguments.ts";
import { record } from "./recording.ts";
import type { HandoffTo, OfferedTool, Speaker } from "./script.ts";
import { sayLine } from "./speaking.ts";
import { speakerNow } from "./state.ts";
import { asItCame, beginWord, endWord, toolCallIdFor } from "./tool-words.ts";

/** Ends the call, transfers the line, or hands over to another member. */
export function doSpecial(move: Move, call: AskedCall): void {
  const offer = offersOf(speakerNow(move)).get(call.name);
  if (offer?.kind === "handoff") {
    const given = readArguments(call.arguments, schemaOf(offer, move.toolArguments)) ?? {};
    handOver(move, call, offer.handoff, given);
    return;
  }
  if (offer?.kind === "transfer") {
    transfer(move, call, offer.tool);
    return;
  }
  if (offer?.kind === "end_call") {
    endCall(move, call.name, offer.tool);
    return;
  }
  move.live.wantsAnswer = true;
}

function endCall(move: Move, toolName: string, tool: OfferedTool | null): void {
  const toolCallId = toolCallIdFor(move);
  const began = { toolId: tool?.toolId ?? null, toolName, arguments: {}, repeatable: true };
  record(
    move,
    beginWord(move, toolCallId, { ...began, turn: move.past.turns }),
    endWord(toolCallId, "answered", "The call ends."),
  );
  beginEnding(move, { by: "assistant", reason: "assistant_ended" });
}

/**
 * The number comes from the owner's tool, never from the model. The line is transferred when
 * the message was heard.
 */
function transfer(
  move: Move,
  call: AskedCall,
  { toolId, functionName: toolName, config }: OfferedTool,
): void {
  const { to, message } = config;
  const toolCallId = toolCallIdFor(move);
  const began = { toolId, toolName, arguments: {}, repeatable: true, turn: move.past.turns };
  const begin = beginWord(move, toolCallId, { ...began, ...asItCame(call) });
  if (typeof to !== "string") {
    record(move, begin, endWord(toolCallId, "refused", "The call cannot be transferred."));
    move.live.wantsAnswer = true;
    return;
  }
  record(move, begin);
  if (typeof message === "string") sayLine(move, "handoff", message);
  const handedTo = { to, toolCallId, begun: false };
  beginEnding(move, { by: "assistant", reason: "assistant_ended", transfer: handedTo });
}

function handOver(move: Move, call: AskedCall, handoff: HandoffTo, given: JsonObject): void {
  const { live, past, script } = move;
  const from = speakerNow(move);
  const to = script.speakers.find(({ memberId }) => memberId === handoff.toMemberId);
  const toolCallId = toolCallIdFor(move);
  const refused = to === undefined ? "This colleague cannot be reached." : handoffRefusal(move, to);
  if (to?.memberId == null || refused !== null) {
    const began = { toolId: null, toolName: handoff.toolName, arguments: given, repeatable: true };
    const begin = beginWord(move, toolCallId, { ...began, turn: past.turns, ...asItCame(call) });
    record(move, begin, endWord(toolCallId, "refused", refused ?? "This colleague cannot be reached."));
    live.wantsAnswer = true;
    return;
  }
  if (handoff.message !== null) sayLine(move, "handoff", handoff.message);
  const named = new Set(handoff.variables.map(({ name }) => name));
  const variables = Object.fromEntries(Object.entries(given).filter(([name]) => named.has(name)));
  const reason = typeof given["reason"] === "string" && !named.has("reason") ? given["reason"] : null;
  live.answerWaitsFor = record(move, {
    type: "HandOver",
    handoff: {
      turn: past.turns,
      from: from.assistantId,
      to: to.assistantId,
      toAssistantVersion: to.assistantVersion,
      toMemberId: to.memberId,
      toolCallId,
      toolName: handoff.toolName,
      variables,
      reason,
    },
  });
  live.wantsAnswer = true;
}

/** Why this handoff is refused now; null: it is allowed. */
function handoffRefusal({ past }: Move, to: Speaker): string | null {
  if (past.handoffs >= HANDOFFS_OF_A_CALL) return "The call was handed over too often. Go on yourself.";
  if (past.handoffsSince.length >= HANDOFFS_BETWEEN_TURNS)
    return "The call was handed over too often since the customer spoke. Go on yourself.";
  if (past.handoffsSince.some(({ from }) => from === to.assistantId))
    return "This colleague has just handed the call over. Go on yourself.";
  return null;
}
