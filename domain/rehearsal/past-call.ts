import type {
  CallDigitsReceived,
  CallMessage,
  CallToolBegan,
  CallToolEnded,
  ToolCallId,
} from "../call/conversation-events.ts";
import type { CallEvent, CallMachineJudged, CallRequested } from "../call/events.ts";
import { speechMillis } from "../conversation/heard.ts";
import { DIGITS_MILLIS, TOOL_MILLIS } from "../conversation/limits.ts";
import type { Of } from "../shared/decider.ts";
import { type Instant, millisOf } from "../shared/instant.ts";
import type { PastAnswer, PastCall, PastEnd, PastMoment, PastTurn } from "./rehearsal.ts";

/**
 * Nobody is waited for longer, so that no silence is heard where there was none: where the length of speech
 * is only estimated, the rest of a pause may be part of it.
 */
const LONGEST_PAUSE_MILLIS = { exact: 6_000, estimated: 2_000 };
/**
 * Times of the log are cut to milliseconds: a pause must not become longer by that, or it is a silence to
 * whoever waits for just so long.
 */
const CUT_MILLIS = 2;
const SILENT_AFTER_MILLIS = 500;
const NOISE_AFTER_MILLIS = 1_000;

/**
 * What the customer of a call did, and what its tools answered, from its events. Times between words are
 * estimated at the pace of speech, as they are when it is played again. null: nobody talked, so that there is
 * nothing to play.
 */
export function pastCallOf(events: readonly CallEvent[]): PastCall | null {
  const reading = new PastReading();
  for (const event of events) reading.take(event);
  return reading.past();
}

/** A tool that had not answered when the call was over. */
function withoutAnswer(began: CallToolBegan["data"]): readonly PastAnswer[] {
  const { toolId, toolName: functionName, arguments: given } = began;
  if (toolId === null || given === null) return [];
  const shown = "The call was over before it answered.";
  return [{ functionName, arguments: given, outcome: "unknown", shown, isError: true, millis: TOOL_MILLIS }];
}

/** A message of the assistant since the customer's last turn. */
type Said = {
  readonly index: number;
  readonly text: string;
  /** When it was heard to its end, or to its cut. */
  until: number;
  /** The share that was heard, when it was cut. */
  share: number | null;
};

class PastReading {
  #request: CallRequested["data"] | null = null;
  #connectedAt: Instant | null = null;
  #answeredBy: PastCall["answeredBy"] = "unknown";
  #hasSession = false;
  #longestPause = LONGEST_PAUSE_MILLIS.exact;
  readonly #turns: PastTurn[] = [];
  readonly #answers: PastAnswer[] = [];
  readonly #tools = new Map<ToolCallId, CallToolBegan["data"]>();
  /** Messages that show pressed keys. */
  readonly #keys = new Set<number>();
  #said: Said[] = [];
  /** When the customer's last turn was over. */
  #turnUntil = 0;
  /** The assistant has not answered yet what came last: a turn, a tool's result, a handoff. */
  #owes = false;
  #toolUntil = 0;
  /** When the customer closed the line; null: they did not. */
  #hungUpAt: Instant | null = null;
  /** The carrier's end of the call. */
  #completed: Of<CallEvent, "CallCompleted">["data"] | null = null;
  /** A sound without words that interrupted the assistant's last words; null: none. */
  #noise: PastEnd | null = null;

  past(): PastCall | null {
    const request = this.#request;
    if (request === null || !this.#hasSession) return null;
    const {
      callId,
      contactName,
      customData,
      greetingMessage,
      specialInstructions,
      callback = null,
    } = request;
    return {
      callId,
      seed: callId,
      answeredBy: this.#answeredBy,
      turns: this.#turns,
      end: this.#endOf(),
      answers: [...this.#answers, ...[...this.#tools.values()].flatMap(withoutAnswer)],
      begunAt: this.#connectedAt ?? request.at,
      contactName,
      customData,
      greetingMessage,
      specialInstructions,
      callback,
    };
  }

  take(event: CallEvent): void {
    switch (event.type) {
      case "CallRequested":
        this.#request = event.data;
        return;
      case "CallConnected":
        this.#connectedAt = event.data.at;
        this.#answeredBy = event.data.answeredBy;
        this.#turnUntil = millisOf(event.data.at);
        return;
      case "CallMachineJudged":
        this.#judged(event.data);
        return;
      case "CallSessionBegan":
        this.#hasSession = true;
        this.#hungUpAt = null;
        if (event.data.kind !== "in_process") this.#longestPause = LONGEST_PAUSE_MILLIS.estimated;
        return;
      case "CallSessionEnded":
        this.#hungUpAt = event.data.cause === "hung_up" ? event.data.at : null;
        return;
      case "CallCompleted":
        this.#completed = event.data;
        return;
      case "CallMessageAdded":
        this.#message(event.data.message);
        return;
      case "CallSpeechCut":
        this.#cut(event.data);
        return;
      case "CallDigitsReceived":
        this.#pressed(event.data);
        return;
      case "CallToolBegan":
        this.#tools.set(event.data.toolCallId, event.data);
        this.#owes = true;
        return;
      case "CallEndRequested":
        this.#wishedToEnd();
        return;
      case "CallHandedOver":
        this.#owes = true;
        return;
      case "CallToolEnded":
        this.#answered(event.data);
        return;
      default:
        return;
    }
  }

  /** A machine known by its greeting is played as one; the carrier's verdict comes with the answer. */
  #judged({ answeredBy, by, greetingEnded }: CallMachineJudged["data"]): void {
    const [first] = this.#turns;
    if (by === "sound" && greetingEnded && this.#turns.length === 1 && first?.turn.kind === "words")
      this.#turns[0] = { ...first, turn: { kind: "machine", text: first.turn.text } };
    else this.#answeredBy = answeredBy;
  }

  #message({ index, role, content, at, kind }: CallMessage): void {
    if (content === null || this.#keys.has(index)) return;
    if (role === "customer") {
      this.#did({ kind: "words", text: content }, millisOf(at) - speechMillis(content), millisOf(at));
      return;
    }
    if (role !== "assistant") return;
    const heard = this.#said.at(-1)?.until ?? 0;
    const begun = Math.max(millisOf(at), heard);
    const isAwaited = kind === "warning" && !this.#owes && begun - heard > SILENT_AFTER_MILLIS;
    if (kind === "prompt" || isAwaited) this.#wasSilent();
    if (kind !== "filler" && kind !== "warning") this.#owes = false;
    this.#said.push({ index, text: content, until: begun + speechMillis(content), share: null });
  }

  #cut({ messageIndex, heard, at }: Of<CallEvent, "CallSpeechCut">["data"]): void {
    const said = this.#said.find(({ index }) => index === messageIndex);
    if (said === undefined || said.share !== null) return;
    said.share = said.text === "" ? 0 : (heard ?? "").length / said.text.length;
    said.until = millisOf(at);
  }

  #pressed({ digits, at, messageIndex }: CallDigitsReceived["data"]): void {
    if (messageIndex !== undefined) this.#keys.add(messageIndex);
    if (digits === null) return;
    const until = millisOf(at);
    const pressed = until - DIGITS_MILLIS;
    // They are taken after a pause, or at once where a # ended them.
    if (pressed >= (this.#said.at(-1)?.until ?? this.#turnUntil))
      this.#did({ kind: "keys", keys: digits }, pressed, until);
    else this.#did({ kind: "keys", keys: `${digits}#` }, until, until);
  }

  #answered({ toolCallId, outcome, shown, isError, at }: CallToolEnded["data"]): void {
    const began = this.#tools.get(toolCallId);
    if (began === undefined) return;
    this.#tools.delete(toolCallId);
    this.#toolUntil = millisOf(at);
    const { toolId, toolName: functionName, arguments: given } = began;
    if (toolId === null || given === null || shown === null) return;
    const millis = Math.max(0, millisOf(at) - millisOf(began.at));
    this.#answers.push({ functionName, arguments: given, outcome, shown, isError, millis });
  }

  /** Words that were cut before that were cut by the customer. */
  #wishedToEnd(): void {
    const cut = this.#said.find(({ share }) => share !== null);
    if (cut !== undefined) this.#noise = { how: "talks_on", ...this.#momentOf(cut.until) };
  }

  /** Read at last: what was heard of the last words is told after the end. */
  #endOf(): PastEnd | null {
    if (this.#completed === null) return null;
    const { endReason, at } = this.#completed;
    if (endReason === "customer_ended") {
      const hungUp = Math.min(millisOf(this.#hungUpAt ?? at), millisOf(at));
      return { how: "hangs_up", ...this.#momentOf(hungUp) };
    }
    if (endReason !== "max_duration") return this.#noise;
    // Nobody was asked whether they are still there: something was heard.
    const { after, pauseMillis } = this.#momentOf(millisOf(at));
    if (after !== null || pauseMillis <= NOISE_AFTER_MILLIS) return this.#noise;
    return { how: "talks_on", after, pauseMillis: NOISE_AFTER_MILLIS };
  }

  #did(turn: PastTurn["turn"], from: number, until: number): void {
    this.#turns.push({ turn, ...this.#momentOf(from) });
    this.#said = [];
    this.#owes = true;
    this.#turnUntil = until;
  }

  /** What is said because of the time tells that they said nothing; it is the first message after that. */
  #wasSilent(): void {
    this.#turns.push({ turn: { kind: "silence" }, after: null, pauseMillis: SILENT_AFTER_MILLIS });
    this.#said = [];
  }

  #momentOf(from: number): PastMoment {
    const place = this.#said.findIndex(({ share }) => share !== null);
    const cut = this.#said[place];
    if (cut?.share != null && cut.share > 0)
      return { after: { message: place + 1, share: cut.share }, pauseMillis: this.#pause(from - cut.until) };
    const heard = cut === undefined ? this.#said : this.#said.slice(0, place);
    const since = heard.at(-1)?.until ?? this.#turnUntil;
    const isBusy = this.#owes || this.#tools.size > 0 || this.#toolUntil >= from;
    const isDone = cut === undefined && heard.length > 0 && !isBusy;
    const after = isDone ? null : { message: heard.length, share: 1 };
    return { after, pauseMillis: this.#pause(from - since) };
  }

  #pause(millis: number): number {
    return Math.round(Math.min(Math.max(0, millis - CUT_MILLIS), this.#longestPause));
  }
}
