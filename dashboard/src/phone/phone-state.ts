import type { ToPhone } from "../../../contract/phone.ts";

type CallId = ToPhone["callId"];
export type Ring = { readonly callId: CallId; readonly from: string; readonly assistantName: string };

/**
 * One line of the conversation. Of the assistant's, the first `shown` characters have been shown or spoken.
 */
export type Line = {
  readonly role: "assistant" | "customer" | "digits";
  readonly text: string;
  readonly shown: number;
  /** No more text will come. */
  readonly whole: boolean;
  /** The customer interrupted it. */
  readonly cut: boolean;
};

export type Talk = { readonly call: Ring; readonly lines: readonly Line[]; readonly since: number };

/**
 * A call that this phone no longer has. taken: another phone has it; lost: it ended while
 * there was no connection.
 */
export type Over = {
  readonly call: Ring;
  readonly lines: readonly Line[];
  readonly why: "ended" | "taken" | "lost";
  readonly endReason: string | null;
};

export type PhoneState = {
  readonly connection: "off" | "connecting" | "open";
  readonly ringing: readonly Ring[];
  readonly talk: Talk | null;
  readonly over: Over | null;
};

export const SILENT: PhoneState = { connection: "off", ringing: [], talk: null, over: null };

/** The state after a frame. */
export function received(state: PhoneState, frame: ToPhone, now: number): PhoneState {
  const { callId } = frame;
  switch (frame.type) {
    case "ringing":
      return { ...state, ringing: [...silenced(state, callId).ringing, ringOf(frame)] };
    case "answered":
      return answered(state, callId, now);
    case "text":
      return withLines(state, callId, (lines) => spoken(lines, frame));
    case "cleared":
      return withLines(state, callId, cutOff);
    case "ended":
      return ended(state, callId, frame.endReason);
  }
}

const ringOf = ({ callId, from, assistantName }: Ring): Ring => ({ callId, from, assistantName });

const silenced = (state: PhoneState, callId: CallId): PhoneState => ({
  ...state,
  ringing: state.ringing.filter((ring) => ring.callId !== callId),
});

/** Reported again after a break of the connection: the call goes on. */
function answered(state: PhoneState, callId: CallId, now: number): PhoneState {
  if (state.talk?.call.callId === callId) return state;
  const call = state.ringing.find((ring) => ring.callId === callId) ?? {
    callId,
    from: "",
    assistantName: "",
  };
  return { ...silenced(state, callId), talk: { call, lines: [], since: now }, over: null };
}

function withLines(
  state: PhoneState,
  callId: CallId,
  change: (lines: readonly Line[]) => readonly Line[],
): PhoneState {
  const { talk } = state;
  return talk?.call.callId === callId ? { ...state, talk: { ...talk, lines: change(talk.lines) } } : state;
}

function spoken(
  lines: readonly Line[],
  { token, last }: { readonly token: string; readonly last: boolean },
): Line[] {
  const place = lines.findLastIndex(({ role, whole }) => role === "assistant" && !whole);
  const line = lines[place];
  if (line === undefined)
    return [...lines, { role: "assistant", text: token, shown: 0, whole: last, cut: false }];
  return lines.with(place, { ...line, text: line.text + token, whole: last });
}

/** Text that was not shown yet is dropped. */
const cutOff = (lines: readonly Line[]): Line[] =>
  lines
    .map((line) =>
      isUnsaid(line) ? { ...line, text: line.text.slice(0, line.shown), whole: true, cut: true } : line,
    )
    .filter(({ text }) => text !== "");

const isUnsaid = ({ role, text, shown, whole }: Line): boolean =>
  role === "assistant" && (shown < text.length || !whole);

function ended(state: PhoneState, callId: CallId, endReason: string | null): PhoneState {
  const { talk } = state;
  if (talk?.call.callId === callId) return { ...state, talk: null, over: overOf(talk, "ended", endReason) };
  const call = state.ringing.find((ring) => ring.callId === callId);
  if (call === undefined) return state;
  const why = endReason === null ? "taken" : "ended";
  return { ...silenced(state, callId), over: { call, lines: [], why, endReason } };
}

const overOf = ({ call, lines }: Talk, why: Over["why"], endReason: string | null): Over => ({
  call,
  lines: lines.map((line) => ({ ...line, shown: line.text.length, whole: true })),
  why,
  endReason,
});

/** So many more characters of the assistant's words were shown. */
export function shown(state: PhoneState, characters: number): PhoneState {
  const { talk } = state;
  if (talk === null) return state;
  const place = talk.lines.findIndex(({ text, shown }) => shown < text.length);
  const line = talk.lines[place];
  if (line === undefined) return state;
  const next = { ...line, shown: Math.min(line.text.length, line.shown + characters) };
  return { ...state, talk: { ...talk, lines: talk.lines.with(place, next) } };
}

/** How much of the current utterance was shown; null: the assistant is silent. */
export function heardOf({ lines }: Talk): string | null {
  const line = lines.find(isUnsaid);
  return line === undefined ? null : line.text.slice(0, line.shown);
}

/** The customer's words or keys come after what was said before. */
export function withWords(state: PhoneState, role: "customer" | "digits", text: string): PhoneState {
  const { talk } = state;
  if (talk === null) return state;
  const last = talk.lines.at(-1);
  const lines =
    role === "digits" && last?.role === "digits"
      ? talk.lines.with(-1, { ...last, text: last.text + text, shown: last.shown + text.length })
      : [...talk.lines, { role, text, shown: text.length, whole: true, cut: false }];
  return { ...state, talk: { ...talk, lines } };
}

/** The connection was lost: ringing calls are reported again when it is back. */
export const disconnected = (state: PhoneState): PhoneState => ({
  ...state,
  connection: "connecting",
  ringing: [],
});

/** The connection is back, and the call was not reported. */
export const lost = (state: PhoneState): PhoneState =>
  state.talk === null ? state : { ...state, talk: null, over: overOf(state.talk, "lost", null) };

/** null: a frame of a later version. */
export function readFrame(data: unknown): ToPhone | null {
  try {
    const frame = JSON.parse(String(data)) as Readonly<Record<string, unknown>>;
    const isKnown = ["ringing", "answered", "text", "cleared", "ended"].includes(String(frame["type"]));
    return isKnown && typeof frame["callId"] === "string" ? (frame as unknown as ToPhone) : null;
  } catch {
    return null;
  }
}
