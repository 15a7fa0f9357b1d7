import type { CallDigitsReceived, CallMessage, CallToolBegan } from "../call/conversation-events.ts";
import type { CallEvent, OptOutBy } from "../call/events.ts";
import type { AssistantId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import { asksNotToBeCalled } from "./intents/opt-out.ts";
import { WORDS_CHARACTERS } from "./limits.ts";

/** The function by which a model says that the customer asks never to be called again. */
export const STOP_CALLING = "stop_calling";

/** What the assistant who was spoken to does about it. Without `optOut` (an older call) nobody listens. */
export type OptOutSettings = {
  readonly optOut?: "listen" | "off";
  readonly optOutDigit?: string | null;
  readonly optOutMessage?: string | null;
  readonly language: string | null;
};

/** Of the assistant who was spoken to; null: nobody listens. */
export type OptOutSettingsOf = (assistantId: AssistantId | null) => OptOutSettings | null;

/** An opt-out, and the event of the call that said it. */
export type SaidOptOut = {
  readonly by: OptOutBy;
  /** Of the message or the tool call; null: keys of an older release, which have no message. */
  readonly messageIndex: number | null;
  readonly saidAt: Instant;
};

/** What has to be remembered of the events of a call; some KB at most. */
export type OptOutBook = {
  /** Who is spoken to; null: no event has told. */
  assistantId: AssistantId | null;
  /** The last verdict is `machine`. */
  isMachine: boolean;
  /** The customer's latest turn, and its messages in words. */
  turn: number | null;
  words: string[];
  /** Index of the message that shows the latest keys. */
  keysIndex: number | null;
  /** The first opt-out of the call is the one that counts. */
  isSaid: boolean;
};

export function newOptOutBook(): OptOutBook {
  return { assistantId: null, isMachine: false, turn: null, words: [], keysIndex: null, isSaid: false };
}

/**
 * Folds the next event of a call into the book; the opt-out that this event says, if it is the first of the
 * call.
 *
 * Conversation and reaction both judge by this, over the same events: what is confirmed is what is listed.
 * - Words: all messages of the turn so far, once each is whole. Not while the last verdict is `machine`: from
 *   that verdict on a voicemail's greeting may still be heard, and words on a tape ask for nothing. Before
 *   any verdict the words themselves tell a greeting. Keys shown as a message are no words.
 * - The assistant's key alone, and the model's call: whatever the verdict, as no tape presses keys.
 */
export function heardOptOut(
  book: OptOutBook,
  event: CallEvent,
  settingsOf: OptOutSettingsOf,
): SaidOptOut | null {
  const said = saidBy(book, event, (assistantId) => {
    const settings = settingsOf(assistantId);
    return settings?.optOut === "listen" ? settings : null;
  });
  if (said === null || book.isSaid) return null;
  book.isSaid = true;
  book.words = [];
  return said;
}

function saidBy(book: OptOutBook, event: CallEvent, listenerOf: OptOutSettingsOf): SaidOptOut | null {
  switch (event.type) {
    case "CallRequested":
      book.assistantId = event.data.assistant.assistantId;
      return null;
    case "CallHandedOver":
      book.assistantId = event.data.to;
      return null;
    case "CallConnected":
    case "CallMachineJudged":
      book.isMachine = event.data.answeredBy === "machine";
      return null;
    case "CallMessageAdded":
      return event.data.message.role === "customer" ? byWords(book, event.data.message, listenerOf) : null;
    case "CallDigitsReceived":
      return byKeypad(book, event.data, listenerOf);
    case "CallToolBegan":
      return byModel(event.data, listenerOf);
    default:
      return null;
  }
}

function byWords(
  book: OptOutBook,
  { index, content, turn, assistantId, at }: CallMessage,
  listenerOf: OptOutSettingsOf,
): SaidOptOut | null {
  if (index === book.keysIndex || book.isSaid) return null;
  if (turn === undefined || turn !== book.turn) book.words = [];
  book.turn = turn ?? null;
  book.words.push(content ?? "");
  forgetOldWords(book);
  const listener = book.isMachine ? null : listenerOf(assistantId ?? book.assistantId);
  if (listener === null || !asksNotToBeCalled(book.words.join(" "), listener.language)) return null;
  return { by: "words", messageIndex: index, saidAt: at };
}

/** The listener looks at the end of a long turn only. */
function forgetOldWords(book: OptOutBook): void {
  let characters = book.words.join(" ").length;
  while (characters - (book.words[0]?.length ?? 0) > WORDS_CHARACTERS + 1) {
    characters -= (book.words.shift()?.length ?? 0) + 1;
  }
}

function byKeypad(
  book: OptOutBook,
  { digits, messageIndex: index, at }: CallDigitsReceived["data"],
  listenerOf: OptOutSettingsOf,
): SaidOptOut | null {
  const messageIndex = index ?? null;
  book.keysIndex = messageIndex;
  const digit = listenerOf(book.assistantId)?.optOutDigit ?? null;
  return digit !== null && digits === digit ? { by: "keypad", messageIndex, saidAt: at } : null;
}

/** A tool of the owner with this name is another function. */
function byModel(
  { toolId, toolName, assistantId, messageIndex, at }: CallToolBegan["data"],
  listenerOf: OptOutSettingsOf,
): SaidOptOut | null {
  if (toolId !== null || toolName !== STOP_CALLING || listenerOf(assistantId) === null) return null;
  return { by: "model", messageIndex, saidAt: at };
}
