import type { FromPhone, ToPhone } from "../../contract/phone.ts";
import type { CallId } from "../../domain/shared/ids.ts";

export type TerminalPhoneDeps = {
  readonly write: (text: string) => void;
  readonly send: (frame: FromPhone) => void;
  /** Answers every call at once. */
  readonly answersAtOnce: boolean;
};

/** A telephone for one call on a terminal: typed lines are what the callee says. */
export type TerminalPhone = {
  readonly receive: (frame: ToPhone) => void;
  /** A line that was typed. */
  readonly typed: (line: string) => void;
  /** Shows so many more characters of the assistant's words. */
  readonly show: (characters: number) => void;
};

type State = TerminalPhoneDeps & {
  ringing: CallId | null;
  talking: CallId | null;
  /** The assistant's words that were not shown yet, and how much of the utterance was shown. */
  unshown: string;
  shown: string;
  /** Ends of utterances in `unshown`, as offsets. */
  ends: number[];
};

const HELP = "Type what you say. /digits 12# presses keys, /hangup ends the call.";

export function terminalPhone(deps: TerminalPhoneDeps): TerminalPhone {
  const state: State = { ...deps, ringing: null, talking: null, unshown: "", shown: "", ends: [] };
  return {
    receive: (frame) => receive(state, frame),
    typed: (line) => typed(state, line.trim()),
    show: (characters) => show(state, characters),
  };
}

function receive(state: State, frame: ToPhone): void {
  const { callId } = frame;
  switch (frame.type) {
    case "ringing":
      ring(state, callId, `${frame.assistantName} calls from ${frame.from}.`);
      break;
    case "answered":
      state.talking = callId;
      state.ringing = null;
      state.write(`Connected. ${HELP}\n`);
      break;
    case "text":
      state.unshown += frame.token;
      if (frame.last) state.ends.push(state.unshown.length);
      break;
    case "cleared":
      if (state.unshown !== "" || state.shown !== "") state.write(" …\n");
      forget(state);
      break;
    case "ended":
      show(state, state.unshown.length);
      if (state.ringing === callId) state.ringing = null;
      if (state.talking === callId) state.talking = null;
      forget(state);
      state.write(
        frame.endReason === null ? "It is answered elsewhere.\n" : `The call is over: ${frame.endReason}\n`,
      );
  }
}

function ring(state: State, callId: CallId, who: string): void {
  state.ringing = callId;
  state.write(`\u0007${who} Press Enter to answer, or type /decline.\n`);
  if (state.answersAtOnce) state.send({ type: "answer", callId });
}

function typed(state: State, line: string): void {
  const { talking, ringing } = state;
  if (talking !== null) talk(state, talking, line);
  else if (ringing === null) state.write("Nobody calls now.\n");
  else if (line === "/decline") {
    state.ringing = null;
    state.send({ type: "decline", callId: ringing });
  } else state.send({ type: "answer", callId: ringing });
}

function talk(state: State, callId: CallId, line: string): void {
  if (line === "") return;
  const digits = /^\/digits +([0-9*#]+)$/.exec(line)?.[1];
  if (digits !== undefined) for (const digit of digits) state.send({ type: "digit", callId, digit });
  else if (line === "/hangup") state.send({ type: "hang_up", callId });
  else if (line.startsWith("/")) state.write(`${HELP}\n`);
  else {
    if (state.unshown !== "") state.send({ type: "speaking", callId, heard: state.shown });
    state.send({ type: "said", callId, text: line });
  }
}

function show(state: State, characters: number): void {
  for (let left = characters; left > 0 && state.unshown !== ""; ) {
    const [end = state.unshown.length] = state.ends;
    const part = state.unshown.slice(0, Math.min(left, end));
    state.write(part);
    state.shown += part;
    state.unshown = state.unshown.slice(part.length);
    state.ends = state.ends.map((each) => each - part.length);
    left -= part.length;
    if (state.ends[0] !== 0) continue;
    state.ends.shift();
    state.shown = "";
    state.write("\n");
  }
}

function forget(state: State): void {
  state.unshown = "";
  state.shown = "";
  state.ends = [];
}
