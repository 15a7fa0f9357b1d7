import { useSyncExternalStore } from "react";
import type { FromPhone } from "../../../contract/phone.ts";
import {
  disconnected,
  heardOf,
  lost,
  type PhoneState,
  readFrame,
  received,
  SILENT,
  shown,
  withWords,
} from "./phone-state.ts";

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8_000;
/** Reading speed equals speech: 15 characters a second. */
const SHOW_EVERY_MILLIS = 200;
const SHOW_CHARACTERS = 3;
/** After a break the service reports a call in progress at once. */
const GOES_ON_WITHIN_MILLIS = 5_000;
const KEPT_AS = "ringfold-phone";

let state: PhoneState = SILENT;
let socket: WebSocket | null = null;
let showing: ReturnType<typeof setInterval> | undefined;
/** Whether it is spoken by a voice, which reports its own progress. */
let spokenAloud = false;
const watchers = new Set<() => void>();

function become(next: PhoneState): void {
  if (next === state) return;
  state = next;
  for (const watcher of watchers) watcher();
}

export const usePhone = (): PhoneState =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => state,
  );

/** The phone's id lives as long as its page, also over a reload; a copy of the page is another phone. */
function takeName(): string {
  const name = sessionStorage.getItem(KEPT_AS) ?? nameOf(crypto.getRandomValues(new Uint32Array(4)));
  sessionStorage.removeItem(KEPT_AS);
  window.addEventListener("pagehide", () => sessionStorage.setItem(KEPT_AS, name));
  return name;
}
const nameOf = (numbers: Uint32Array): string => [...numbers].map((each) => each.toString(36)).join("-");

let name: string | null = null;

/** Opens the line, again after every break, until it is closed. */
export function openPhone(): () => void {
  name ??= takeName();
  let pause = FIRST_PAUSE;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  const connect = () => {
    const own = new WebSocket(`${location.origin.replace(/^http/, "ws")}/phone?phone=${name}`);
    socket = own;
    own.addEventListener("open", () => {
      pause = FIRST_PAUSE;
      become({ ...state, connection: "open" });
      expectCall(own);
    });
    own.addEventListener("message", ({ data }) => {
      const frame = readFrame(data);
      if (frame !== null && socket === own) become(received(state, frame, Date.now()));
    });
    own.addEventListener("close", () => {
      if (isClosed || socket !== own) return;
      become(disconnected(state));
      timer = setTimeout(connect, pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    });
  };
  become({ ...state, connection: "connecting" });
  connect();
  showing = setInterval(() => {
    if (!spokenAloud) become(shown(state, SHOW_CHARACTERS));
  }, SHOW_EVERY_MILLIS);
  return () => {
    isClosed = true;
    clearTimeout(timer);
    clearInterval(showing);
    socket?.close();
    socket = null;
    become(SILENT);
  };
}

/** A call that is not reported again has ended meanwhile. */
function expectCall(own: WebSocket): void {
  const callId = state.talk?.call.callId;
  if (callId === undefined) return;
  let goesOn = false;
  own.addEventListener("message", ({ data }) => {
    const frame = readFrame(data);
    goesOn ||= frame?.callId === callId;
  });
  setTimeout(() => {
    if (!goesOn && socket === own && state.talk?.call.callId === callId) become(lost(state));
  }, GOES_ON_WITHIN_MILLIS);
}

function send(frame: FromPhone): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
}

export const answer = (callId: FromPhone["callId"]): void => send({ type: "answer", callId });
export const decline = (callId: FromPhone["callId"]): void => {
  send({ type: "decline", callId });
};
export const hangUp = (callId: FromPhone["callId"]): void => send({ type: "hang_up", callId });

/** The user begins to talk: the assistant's words are cut where they were shown. */
export function interrupt(): void {
  const { talk } = state;
  const heard = talk === null ? null : heardOf(talk);
  if (talk !== null && heard !== null) send({ type: "speaking", callId: talk.call.callId, heard });
}

export function say(text: string): void {
  const { talk } = state;
  if (talk === null) return;
  interrupt();
  send({ type: "said", callId: talk.call.callId, text });
  become(withWords(state, "customer", text));
}

export function press(digit: string): void {
  const { talk } = state;
  if (talk === null) return;
  send({ type: "digit", callId: talk.call.callId, digit });
  become(withWords(state, "digits", digit));
}

export const forgetCall = (): void => become({ ...state, over: null });

/** A voice speaks the assistant's words, and reports how many more characters were spoken. */
export function speakAloud(aloud: boolean): void {
  spokenAloud = aloud;
}
export const spoke = (characters: number): void => become(shown(state, characters));
