import { beginningOf } from "../shared/storable-text.ts";
import { callBackLater } from "./calling-back.ts";
import { failTurn } from "./failing.ts";
import type { AskedCall, ToolAnswer } from "./inputs.ts";
import {
  ARGUMENT_REPAIRS,
  TOOL_FILLER_MILLIS,
  TOOL_GRACE_MILLIS,
  TOOL_LEAVES_MILLIS,
  TOOL_MILLIS,
} from "./limits.ts";
import { clearTimer, type Move, setTimer } from "./move.ts";
import { type Offer, offersOf, schemaOf, variablesFault } from "./offered-tools.ts";
import { readArguments } from "./reading-arguments.ts";
import { record, type Word } from "./recording.ts";
import { runtimeVariables } from "./script.ts";
import { doSpecial } from "./special-calls.ts";
import { type RunningTool, speakerNow } from "./state.ts";
import {
  asItCame,
  beginWord,
  canonical,
  endWord,
  isRepeatable,
  noEvidence,
  toolCallIdFor,
} from "./tool-words.ts";

type Judged =
  | { readonly kind: "runs"; readonly tool: RunningTool["tool"]; readonly given: RunningTool["arguments"] }
  | { readonly kind: "special" }
  /** One of the same answer was done already. */
  | { readonly kind: "again" }
  | { readonly kind: "fault"; readonly why: string };

/**
 * The calls of one answer: what is agreed about calling again, normal tools together, then at most one that
 * hands over or ends. A refused call is answered to the model.
 */
export function startTools(move: Move, calls: readonly AskedCall[], turn: number): void {
  const { live } = move;
  live.counts.rounds += 1;
  const offers = offersOf(speakerNow(move));
  const stop = calls.find(({ name }) => offers.get(name)?.kind === "stop_calling");
  if (stop !== undefined) {
    stopCalling(move, stop, calls, turn);
    return;
  }
  const later = calls.find(({ name }) => offers.get(name)?.kind === "call_back_later");
  if (later !== undefined) agree(move, later, turn);
  const others = calls.filter((call) => call !== later);
  const judged = others.map((call) => ({ call, verdict: judge(move, call, offers.get(call.name)) }));
  const special = judged.find(({ verdict }) => verdict.kind === "special");
  const words: Word[] = [];
  const begun: Omit<RunningTool, "ticket">[] = [];
  for (const { call, verdict } of judged) {
    const toolCallId = toolCallIdFor(move, words.filter(({ type }) => type === "BeginTool").length);
    if (verdict.kind === "runs") {
      const { tool, given } = verdict;
      const { toolId, functionName: toolName } = tool;
      const began = { toolId, toolName, arguments: given, repeatable: isRepeatable(tool), turn };
      words.push(beginWord(move, toolCallId, { ...began, ...asItCame(call) }));
      begun.push({ toolCallId, tool, arguments: given, begunMono: move.mono, runs: false });
    } else if (verdict.kind === "fault" || call !== special?.call) {
      const why = verdict.kind === "fault" ? verdict.why : "Only one of these functions at a time.";
      words.push(...refusedCall(move, toolCallId, call, turn, why));
      if (verdict.kind === "fault") live.counts.faults += 1;
    }
  }
  if (live.counts.faults > ARGUMENT_REPAIRS) {
    failOnFaults(move, words);
    return;
  }
  live.afterTools = special?.call ?? null;
  const ticket = words.length === 0 ? 0 : record(move, ...words);
  for (const each of begun) live.tools.set(each.toolCallId, { ...each, ticket });
  if (begun.length > 0) {
    setTimer(move, "tool_filler", TOOL_FILLER_MILLIS);
    setTimer(move, "tools", TOOL_MILLIS + TOOL_GRACE_MILLIS);
  }
  goOnWhenDone(move);
}

function agree(move: Move, call: AskedCall, turn: number): void {
  const why = callBackLater(move, call, turn);
  if (why === null) return;
  move.live.counts.faults += 1;
  record(move, ...refusedCall(move, toolCallIdFor(move), call, turn, why));
}

/** It goes before every other function of the answer, and none of them is begun. */
function stopCalling(move: Move, stop: AskedCall, calls: readonly AskedCall[], turn: number): void {
  const toolCallId = toolCallIdFor(move);
  const began = { toolId: null, toolName: stop.name, arguments: {}, repeatable: true, turn };
  const others = calls.filter((call) => call !== stop);
  record(
    move,
    beginWord(move, toolCallId, { ...began, ...asItCame(stop) }),
    endWord(toolCallId, "answered", "The customer is told, and the call ends."),
    ...others.flatMap((call, index) =>
      refusedCall(
        move,
        toolCallIdFor(move, index + 1),
        call,
        turn,
        "The customer asked not to be called again.",
      ),
    ),
  );
}

/** Refused calls are recorded; the others were never begun. */
function failOnFaults(move: Move, words: readonly Word[]): void {
  const refused = new Set(words.flatMap((word) => (word.type === "EndTool" ? [word.result.toolCallId] : [])));
  let number = 0;
  const renamed = new Map<string, string>();
  const kept = words.flatMap((word): Word[] => {
    if (word.type === "BeginTool" && refused.has(word.tool.toolCallId)) {
      const toolCallId = toolCallIdFor(move, number);
      number += 1;
      renamed.set(word.tool.toolCallId, toolCallId);
      return [{ ...word, tool: { ...word.tool, toolCallId } }];
    }
    if (word.type !== "EndTool") return [];
    const { toolCallId } = word.result;
    return [{ ...word, result: { ...word.result, toolCallId: renamed.get(toolCallId) ?? toolCallId } }];
  });
  record(move, ...kept);
  failTurn(move, "bad_arguments");
}

function judge(move: Move, call: AskedCall, offer: Offer | undefined): Judged {
  if (offer === undefined) return { kind: "fault", why: "There is no such function." };
  const given = readArguments(call.arguments, schemaOf(offer, move.toolArguments));
  if (given === null) return { kind: "fault", why: "The arguments are no JSON object." };
  if (offer.kind === "handoff") {
    const why = variablesFault(offer.handoff, given);
    return why === null ? { kind: "special" } : { kind: "fault", why };
  }
  if (offer.kind === "call_back_later") return { kind: "again" };
  if (offer.kind !== "tool") return { kind: "special" };
  const why = move.toolArguments.checkArguments(offer.tool, given);
  if (why !== null) return { kind: "fault", why };
  if (mayHaveRun(move, offer, given)) {
    const again = "It is not known whether this was done already. It must not be done again in this call.";
    return { kind: "fault", why: again };
  }
  return { kind: "runs", tool: offer.tool, given };
}

/** The tool changes something, and it is unknown whether it already did so with the same arguments. */
function mayHaveRun(
  move: Move,
  offer: Extract<Offer, { kind: "tool" }>,
  given: RunningTool["arguments"],
): boolean {
  if (isRepeatable(offer.tool)) return false;
  const asked = canonical(given);
  for (const { began, result } of move.past.tools.values()) {
    if (began.toolName !== offer.tool.functionName || canonical(began.arguments ?? {}) !== asked) continue;
    if (result === null || result.outcome === "unknown") return true;
  }
  return false;
}

function refusedCall(move: Move, toolCallId: string, call: AskedCall, turn: number, why: string): Word[] {
  const toolName = beginningOf(call.name, 64);
  const tool = speakerNow(move).tools.find(({ functionName }) => functionName === call.name);
  const given = readArguments(call.arguments, {}) ?? {};
  const refused = { toolId: tool?.toolId ?? null, toolName, arguments: given, repeatable: true, turn };
  const began = { ...refused, ...asItCame(call) };
  return [beginWord(move, toolCallId, began), endWord(toolCallId, "refused", why)];
}

/** The beginning of these tools is durable: they are called now or never. */
export function toolsAreDurable(move: Move, ticket: number, over: boolean): void {
  const { live, script, past } = move;
  for (const tool of live.tools.values()) {
    if (tool.ticket !== ticket || tool.runs) continue;
    const isLate = move.mono - tool.begunMono > TOOL_LEAVES_MILLIS;
    if (isLate || over || live.closed !== null || live.over) {
      endTool(move, tool.toolCallId, refusal("It could not be done in time."));
      continue;
    }
    tool.runs = true;
    const { toolCallId } = tool;
    const variables = runtimeVariables(script, past.variables, move.now);
    move.out.push({ type: "run_tool", toolCallId, tool: tool.tool, arguments: tool.arguments, variables });
  }
}

function refusal(shown: string): ToolAnswer {
  return { outcome: "refused", shown, isError: true, evidence: noEvidence };
}

/** The first result of a tool call counts. */
export function endTool(move: Move, toolCallId: string, answer: ToolAnswer): void {
  const { live } = move;
  if (!live.tools.delete(toolCallId)) return;
  record(move, { type: "EndTool", result: { toolCallId, ...answer } });
  if (live.tools.size > 0) return;
  clearTimer(move, "tools", "tool_filler");
  live.wantsAnswer = live.ending === null;
  goOnWhenDone(move);
}

/** Tools without an answer after their own limit and the grace time. */
export function toolsAreLate(move: Move): void {
  for (const { toolCallId, runs } of [...move.live.tools.values()]) {
    if (runs) move.out.push({ type: "abort_tool", toolCallId });
    const shown = "The tool did not answer in time.";
    endTool(move, toolCallId, { outcome: "timed_out", shown, isError: true, evidence: noEvidence });
  }
}

function goOnWhenDone(move: Move): void {
  const { live } = move;
  if (live.tools.size > 0 || live.closed !== null || live.ending !== null) return;
  const call = live.afterTools;
  live.afterTools = null;
  if (call === null) live.wantsAnswer = true;
  else doSpecial(move, call);
}
