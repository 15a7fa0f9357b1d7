import type { ToolCallId } from "../../domain/call/conversation-events.ts";
import { isCallEnd } from "../../domain/call/end-reason.ts";
import type { AnalysisId, CallAnalysed, CallAnalysisRequested, CallEvent } from "../../domain/call/events.ts";
import { isCallEvent } from "../../domain/event-kinds.ts";
import type { OutcomeSettings } from "../../domain/outcome/settings.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import type { StoredAnalysisSettings } from "../ports/analyses.ts";
import type { RecordedEvent } from "../ports/event-codec.ts";
import type { AuditedEvent, Report } from "./broken-rule.ts";

const MOST_ANALYSES = 10;
const MOST_EVIDENCE = 20;
const PRESSED_KEYS = /^\[keys: .*\]$/s;
/** Answers of ours, which prove nothing. */
const OF_OURS: ReadonlySet<string> = new Set(["end_call", "stop_calling", "call_back_later"]);

/** What was asked, by the hash that wishes name. */
export type AskedOutcomes = ReadonlyMap<string, OutcomeSettings>;

type AuditedOutcome = {
  ended: boolean;
  answered: boolean;
  verdict: string | null;
  erased: AuditedEvent | null;
  /** Messages that can prove a value: words of the customer, and tools that answered. */
  readonly proofs: Set<number>;
  hasWords: boolean;
  readonly tools: Map<ToolCallId, number>;
  readonly wishes: Map<AnalysisId, AuditedEvent<CallAnalysisRequested>>;
  /** Wishes without an answer. */
  readonly open: Set<AnalysisId>;
};

/**
 * Each analysis against what was said on its call, in log order: it comes after the end, answers a wish once,
 * proves its values by messages that can prove them, and its success follows from them.
 */
export function judgeAnalyses(
  history: Iterable<AuditedEvent>,
  outcomes: AskedOutcomes,
  report: Report,
): void {
  const calls = new Map<CallId, AuditedOutcome>();
  for (const recorded of history) {
    const { event } = recorded;
    if (!isCallEvent(event)) continue;
    const call = calls.get(event.data.callId) ?? newOutcome();
    calls.set(event.data.callId, call);
    read(call, { ...recorded, event }, outcomes, report);
  }
}

function newOutcome(): AuditedOutcome {
  return {
    ended: false,
    answered: false,
    verdict: null,
    erased: null,
    proofs: new Set(),
    hasWords: false,
    tools: new Map(),
    wishes: new Map(),
    open: new Set(),
  };
}

function read(
  call: AuditedOutcome,
  recorded: AuditedEvent<CallEvent>,
  outcomes: AskedOutcomes,
  report: Report,
): void {
  const { event } = recorded;
  switch (event.type) {
    case "CallAnalysisRequested":
      readWish(call, { ...recorded, event }, report);
      return;
    case "CallAnalysed":
      readAnswer(call, recorded, event.data.analysisId, report);
      judgeEvidence(call, { ...recorded, event }, report);
      judgeSuccess(call, { ...recorded, event }, outcomes, report);
      return;
    case "CallAnalysisFailed":
      readAnswer(call, recorded, event.data.analysisId, report);
      return;
    case "CallContentErased":
      call.erased = recorded;
      return;
    default:
      hear(call, event);
  }
}

function hear(call: AuditedOutcome, event: CallEvent): void {
  if (event.type === "CallConnected") {
    call.answered = true;
    call.verdict = event.data.answeredBy;
  } else if (event.type === "CallMachineJudged") call.verdict = event.data.answeredBy;
  else if (isCallEnd(event)) call.ended = true;
  else if (event.type === "CallMessageAdded") hearMessage(call, event.data.message);
  else if (event.type === "CallToolBegan" && !OF_OURS.has(event.data.toolName))
    call.tools.set(event.data.toolCallId, event.data.messageIndex);
  else if (event.type === "CallToolEnded" && event.data.outcome === "answered") {
    const index = call.tools.get(event.data.toolCallId);
    if (index !== undefined) call.proofs.add(index);
  }
}

/** An erased message may have been words. */
function hearMessage(
  call: AuditedOutcome,
  {
    role,
    content,
    index,
  }: { readonly role: string; readonly content: string | null; readonly index: number },
): void {
  if (role === "tool") call.proofs.add(index);
  if (role !== "customer" || (content !== null && PRESSED_KEYS.test(content))) return;
  call.proofs.add(index);
  call.hasWords = true;
}

function readWish(call: AuditedOutcome, wish: AuditedEvent<CallAnalysisRequested>, report: Report): void {
  const { analysisId, by } = wish.event.data;
  const problem = problemOfWish(call, analysisId);
  if (problem !== null) report("analysis-after-the-end", problem, wish);
  if (by === "engine" && !(call.answered && call.hasWords && call.verdict !== "machine"))
    report("analysis-has-a-reason", "Nobody said anything on a call that is analysed by itself", wish);
  call.wishes.set(analysisId, wish);
  call.open.add(analysisId);
}

function problemOfWish({ ended, erased, wishes, open }: AuditedOutcome, id: AnalysisId): string | null {
  if (!ended) return "An analysis is asked for before the call's end";
  if (erased !== null) return "An analysis is asked for after the call's words were erased";
  if (wishes.has(id)) return "An analysis is asked for twice";
  if (open.size > 0) return "An analysis is asked for while another is pending";
  return wishes.size < MOST_ANALYSES ? null : `A call is analysed more than ${MOST_ANALYSES} times`;
}

function readAnswer(call: AuditedOutcome, recorded: AuditedEvent, id: AnalysisId, report: Report): void {
  const wish = call.wishes.get(id);
  if (wish === undefined) report("analysis-answered-once", "An answer that nobody asked for", recorded);
  else if (!call.open.has(id)) report("analysis-answered-once", "A second answer", wish, recorded);
  if (call.erased !== null)
    report("analysis-answered-once", "An answer after the words were erased", call.erased, recorded);
  call.open.delete(id);
}

/** Values are unknown after the erasure; their evidence is not. */
function judgeEvidence(call: AuditedOutcome, recorded: AuditedEvent<CallAnalysed>, report: Report): void {
  const { fields, evidence, unsupported } = recorded.event.data;
  for (const [name, indexes] of Object.entries(evidence)) {
    const isInOrder = indexes.every((index, at) => at === 0 || index > (indexes[at - 1] ?? index));
    if (indexes.length === 0 || indexes.length > MOST_EVIDENCE || !isInOrder)
      report("evidence-was-said", `The evidence of ${name} is no list of messages in order`, recorded);
    for (const index of indexes)
      if (!call.proofs.has(index))
        report(
          "evidence-was-said",
          `${name} is proven by message ${index}, which can prove nothing`,
          recorded,
        );
    if (unsupported.includes(name))
      report("evidence-was-said", `${name} has evidence and counts as unsupported`, recorded);
  }
  for (const [name, value] of Object.entries(fields ?? {}))
    if ((value === null) === Object.hasOwn(evidence, name))
      report(
        "evidence-was-said",
        value === null ? `${name} has evidence and no value` : `${name} has a value that nothing proves`,
        recorded,
      );
}

function judgeSuccess(
  call: AuditedOutcome,
  recorded: AuditedEvent<CallAnalysed>,
  outcomes: AskedOutcomes,
  report: Report,
): void {
  const { fields, success, analysisId } = recorded.event.data;
  const wish = call.wishes.get(analysisId);
  const asked = wish === undefined ? undefined : outcomes.get(wish.event.data.schemaHash);
  if (fields === null || asked === undefined || wish === undefined) return;
  const names = asked.fields.map(({ name }) => name);
  const others = Object.keys(fields).filter((name) => !names.includes(name));
  if (others.length > 0) report("success-follows", `Nobody asked for ${others.join(", ")}`, wish, recorded);
  const value = asked.success === null ? null : (fields[asked.success.field] ?? null);
  const follows = asked.success === null || value === null ? null : isOneOf(asked.success.in, value);
  if (success !== follows)
    report("success-follows", `success is ${success}, and follows to be ${follows}`, wish, recorded);
}

function isOneOf(values: readonly (boolean | string)[], value: unknown): boolean {
  return values.some((each) => each === value);
}

/** What the wishes of these events asked for, as far as it is stored. */
export async function askedOutcomes(
  settings: Pick<StoredAnalysisSettings, "read">,
  events: readonly Pick<RecordedEvent, "event">[],
): Promise<AskedOutcomes> {
  const hashes = new Set(
    events.flatMap(({ event }) => (event.type === "CallAnalysisRequested" ? [event.data.schemaHash] : [])),
  );
  const asked = new Map<string, OutcomeSettings>();
  for (const hash of hashes) {
    const found = await settings.read(hash);
    if (found !== null) asked.set(hash, found.outcome);
  }
  return asked;
}
