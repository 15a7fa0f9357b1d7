import type { CallEvent } from "../../../domain/call/events.ts";
import { optOutConfirmation } from "../../../domain/conversation/intents/opt-out.ts";
import { heardOptOut, newOptOutBook } from "../../../domain/conversation/opt-out.ts";
import { millisOf } from "../../../domain/shared/instant.ts";
import type { ConversationWorld } from "../../support/conversation/conversation-world.ts";

type Of<Type extends CallEvent["type"]> = Extract<CallEvent, { readonly type: Type }>;

function ofType<Type extends CallEvent["type"]>(
  events: readonly CallEvent[],
  type: Type,
): readonly Of<Type>[] {
  return events.filter((event): event is Of<Type> => event.type === type);
}

/**
 * Everything that must hold of a conversation that is over, whatever happened in it; answers what does not.
 */
export function judgeConversation(world: ConversationWorld): readonly string[] {
  const events = world.events();
  return [
    ...world.lines.flatMap(({ violations }) =>
      violations.map((words) => `said while the customer spoke: ${words}`),
    ),
    ...(world.generations.most > 1 ? [`${world.generations.most} generations at a time`] : []),
    ...toolResults(events),
    ...toolRuns(world, events),
    ...heardWords(world, events),
    ...bounds(world, events),
    ...optOuts(world, events),
    ...requests(world),
  ];
}

function toolResults(events: readonly CallEvent[]): string[] {
  const ended = ofType(events, "CallToolEnded").map(({ data }) => data.toolCallId);
  const twice = ended.filter((id, index) => ended.indexOf(id) !== index).map((id) => `${id} has two results`);
  // A session that was only lost may go on elsewhere, and tells the results there.
  const last = events.findLast(({ type }) => type === "CallSessionEnded" || type === "CallSessionBegan");
  const isClosed =
    last?.type === "CallSessionEnded" && (last.data.cause === "hung_up" || last.data.cause === "finished");
  const missing = ofType(events, "CallToolBegan")
    .filter(({ data }) => isClosed && !ended.includes(data.toolCallId))
    .map(({ data: { toolCallId, at, epoch } }) => `${toolCallId} of session ${epoch} at ${at} has no result`);
  return [...twice, ...missing];
}

/**
 * Each call of a tool runs once, after its beginning was durable; what changes something never again with the
 * same arguments once nobody knows.
 */
function toolRuns({ toolRuns: runs }: ConversationWorld, events: readonly CallEvent[]): string[] {
  const began = new Map(ofType(events, "CallToolBegan").map(({ data }) => [data.toolCallId, data]));
  const unknown = ofType(events, "CallToolEnded").filter(({ data }) => data.outcome === "unknown");
  const broken: string[] = [];
  runs.forEach((run, index) => {
    const first = began.get(run.toolCallId);
    if (first === undefined) broken.push(`${run.toolCallId} ran without a beginning`);
    if (runs.findIndex(({ toolCallId }) => toolCallId === run.toolCallId) !== index)
      broken.push(`${run.toolCallId} ran twice`);
    for (const {
      data: { toolCallId, at },
    } of unknown) {
      const lost = began.get(toolCallId);
      if (first === undefined || lost === undefined || lost.repeatable || first.at < at || first === lost)
        continue;
      const same =
        lost.toolName === first.toolName &&
        JSON.stringify(lost.arguments) === JSON.stringify(first.arguments);
      if (same) broken.push(`${run.toolCallId} repeats ${toolCallId}, of which nobody knows`);
    }
  });
  return broken;
}

/**
 * The log claims no word that no line played; of a line whose process died it goes by time and may claim what
 * was given (docs/decisions/0030).
 */
function heardWords(world: ConversationWorld, events: readonly CallEvent[]): string[] {
  const cuts = new Map(
    ofType(events, "CallSpeechCut").map(({ data }) => [data.messageIndex, data.heard ?? ""]),
  );
  const said = world.lines
    .flatMap((line) => line.said().map((each) => ({ ...each, died: line.hasDied() })))
    .map(({ text, heard, died }) => ({ text: letters(text), truth: letters(died ? text : heard) }));
  return ofType(events, "CallMessageAdded").flatMap(({ data: { message } }) => {
    if (message.role !== "assistant") return [];
    const claimed = letters(cuts.get(message.index) ?? message.content ?? "");
    const really = said.some(({ text, truth }) => text.startsWith(claimed) && truth.startsWith(claimed));
    return claimed === "" || really ? [] : [`message ${message.index}: "${claimed}" was not heard`];
  });
}

/** Marks are not heard. */
function letters(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** The hang-up, its last word, and a log that is slow or away meanwhile. */
const GRACE_MILLIS = 90_000;
/** A process that died after the end was asked for: another one waits so long for the hang-up again. */
const SESSION_MILLIS = 30_000;

function bounds(world: ConversationWorld, events: readonly CallEvent[]): string[] {
  const open = world.lines.at(-1)?.closedWith() === null ? ["the line is open"] : [];
  const began = ofType(events, "CallConnected")[0];
  const last = events.at(-1);
  if (began === undefined || last === undefined) return [...open, "no call"];
  const millis = millisOf(last.data.at) - millisOf(began.data.at);
  const asked = ofType(events, "CallEndRequested")[0]?.data.at ?? last.data.at;
  const resumed = ofType(events, "CallSessionBegan").filter(({ data }) => data.at > asked).length;
  const longest = world.request.maxDurationSeconds * 1_000 + GRACE_MILLIS + resumed * SESSION_MILLIS;
  return millis > longest ? [...open, `it took ${millis} ms`] : open;
}

/** What is confirmed is what the log says; from then on nothing else is answered. */
function optOuts({ lines, speakers }: ConversationWorld, events: readonly CallEvent[]): string[] {
  const book = newOptOutBook();
  const said = events.map((event) =>
    heardOptOut(book, event, (id) => speakers.find(({ assistantId }) => assistantId === id) ?? null),
  );
  const place = said.findIndex((each) => each !== null);
  const confirmation = optOutConfirmation("en");
  const isConfirmed = lines.some((line) => line.said().some(({ text }) => text.startsWith(confirmation)));
  if (place === -1) return isConfirmed ? ["an opt-out was confirmed that the log does not say"] : [];
  const from = events[place];
  const turn = from?.type === "CallMessageAdded" ? from.data.message.turn : turnOf(from);
  return ofType(events.slice(place), "CallMessageAdded").flatMap(({ data: { message } }) =>
    message.kind === "answer" && (message.turn ?? 0) >= (turn ?? 0) && message.content !== confirmation
      ? [`message ${message.index} answers after an opt-out`]
      : [],
  );
}

function turnOf(event: CallEvent | undefined): number | undefined {
  return event?.type === "CallDigitsReceived" || event?.type === "CallToolBegan"
    ? event.data.turn
    : undefined;
}

/**
 * What a model is asked is well formed: a call and its result stand together, under names that occur once.
 */
function requests({ requests: asked }: ConversationWorld): string[] {
  return asked.flatMap(({ messages }, number) => {
    const calls = messages.flatMap((each) => (each.role === "assistant" ? (each.toolCalls ?? []) : []));
    const results = messages.flatMap((each) => (each.role === "tool" ? [each.toolCallId] : []));
    const ids = calls.map(({ id }) => id);
    if (ids.join() !== results.join())
      return [`request ${number}: calls ${ids.join()}, results ${results.join()}`];
    return new Set(ids).size === ids.length ? [] : [`request ${number}: a name of a call occurs twice`];
  });
}
