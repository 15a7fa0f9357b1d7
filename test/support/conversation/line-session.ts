import type { Clock } from "../../../application/ports/clock.ts";
import type { SayOptions, SessionListener, VoiceSession } from "../../../application/ports/voice-session.ts";
import type { SessionEndCause, SessionKind } from "../../../domain/call/conversation-events.ts";

type Said = {
  readonly id: number;
  readonly options: SayOptions;
  text: string;
  last: boolean;
  heardTo: number;
  open: boolean;
};

export type LineSettings = {
  readonly speed?: number;
  readonly kind?: SessionKind;
  /** How it reports what was heard of a cut utterance. */
  readonly tells?: "words" | "millis" | "nothing";
  readonly transfers?: "begun" | "unsupported";
  readonly stoodMillis?: () => number;
};

/** A line on which speech takes time (15 characters a second); the test is the callee. */
export type LineSession = {
  readonly session: VoiceSession;
  /** What was said, and how much of it was really heard. */
  readonly said: () => readonly {
    readonly id: number;
    readonly text: string;
    readonly heard: string;
    readonly last: boolean;
    readonly voice: string | null;
  }[];
  /** Words that were spoken while the callee spoke. */
  readonly violations: readonly string[];
  readonly closedWith: () => SessionEndCause | null;
  readonly hasDied: () => boolean;
  /** Monotonic ms; null: it is open. */
  readonly closedAt: () => number | null;
  readonly transferredTo: () => string | null;
  /** `by`: the process of the listener; after its death nothing is reported to it. */
  readonly attach: (listener: SessionListener) => void;
  readonly startSpeaking: () => void;
  readonly finishSpeaking: (text: string, continues?: boolean) => void;
  /** The callee begins and ends in one go. */
  readonly say: (text: string) => void;
  readonly press: (digit: string) => void;
  /** What is heard sounds like a machine. */
  readonly hearMachine: (greetingEnded: boolean) => void;
  readonly close: (cause: SessionEndCause) => void;
  /** Its process died: nothing more is played or reported. */
  readonly die: () => void;
};

/** An estimate of what was heard may be wrong by so many characters. */
const SLACK = { words: 1e-6, millis: 1e-6, nothing: 1 };
const MILLIS_A_CHARACTER = 1_000 / 15;

export function createLineSession(
  clock: Pick<Clock, "monotonicMillis" | "sleep">,
  settings: LineSettings = {},
): LineSession {
  const { speed = 1, kind = "in_process", tells = "words", transfers = "begun" } = settings;
  const slack = SLACK[tells];
  const queue: Said[] = [];
  const all: Said[] = [];
  const violations: string[] = [];
  let listener: SessionListener | null = null;
  let closed: SessionEndCause | null = null;
  let closedAt: number | null = null;
  let dead = false;
  let speaking = false;
  let playedUntil = clock.monotonicMillis();
  let round = 0;
  let transferred: string | null = null;

  /** Lets what was given be heard until now. */
  const play = (): void => {
    let budget = ((clock.monotonicMillis() - playedUntil) * speed) / MILLIS_A_CHARACTER;
    const exact = budget;
    const whole: number[] = [];
    for (const said of [...queue]) {
      const heard = Math.min(said.text.length - said.heardTo, budget);
      said.heardTo += heard;
      budget -= heard;
      if (said.heardTo < said.text.length - 1e-6 || !said.last) break;
      settle(said);
      whole.push(said.id);
    }
    playedUntil += ((exact - Math.max(0, budget)) * MILLIS_A_CHARACTER) / speed;
    if (budget > 0 || queue.length === 0) playedUntil = clock.monotonicMillis();
    // A listener may say something at once, so the line is already at this moment.
    for (const id of whole) listener?.heardWhole(id);
    schedule();
  };
  const schedule = (): void => {
    round += 1;
    const mine = round;
    const first = queue[0];
    if (first === undefined || closed !== null || dead) return;
    const left = ((first.text.length - first.heardTo) * MILLIS_A_CHARACTER) / speed;
    if (left <= 0 && !first.last) return;
    void clock.sleep(Math.max(left, 0.001)).then(() => {
      if (mine === round && !dead && closed === null) play();
    });
  };
  const settle = (said: Said): void => {
    said.open = false;
    queue.splice(queue.indexOf(said), 1);
  };
  const stop = (said: Said): void => {
    if (!said.open) return;
    settle(said);
    const heard = said.text.slice(0, Math.floor(said.heardTo));
    const millis = Math.floor(said.heardTo) * MILLIS_A_CHARACTER;
    listener?.cut(
      said.id,
      tells === "words" ? heard : null,
      tells === "nothing" ? null : millis,
      tells === "nothing" ? "estimated" : "exact",
    );
  };
  const close = (cause: SessionEndCause): void => {
    if (closed !== null) return;
    play();
    closed = cause;
    closedAt = clock.monotonicMillis();
    if (!dead) listener?.closed(cause);
  };

  return {
    session: {
      kind,
      speed,
      ...(settings.stoodMillis && { stoodMillis: settings.stoodMillis }),
      say: (id, token, last, options) => {
        if (closed !== null || dead) return;
        play();
        const known = all.find((said) => said.id === id);
        const goesOn = known?.options.interruptible === false;
        if (speaking && token !== "" && !goesOn) violations.push(token);
        const said = known ?? { id, options, text: "", last: false, heardTo: 0, open: true };
        if (known === undefined) {
          all.push(said);
          queue.push(said);
        }
        if (!said.open) return;
        said.text += token;
        said.last ||= last;
        play();
      },
      clear: (id) => {
        if (closed !== null || dead) return;
        play();
        const said = queue.find((each) => each.id === id);
        if (said !== undefined) stop(said);
        schedule();
      },
      transfer: (to) => {
        transferred = to;
        if (transfers === "begun") void clock.sleep(500).then(() => close("finished"));
        return transfers;
      },
      finish: (millis) => {
        if (millis === 0) close("finished");
        else void clock.sleep(millis / speed).then(() => close("finished"));
      },
    },
    said: () => {
      if (!dead && closed === null) play();
      return all.map(({ id, text, heardTo, last, options }) => ({
        id,
        text,
        heard: text.slice(0, Math.floor(heardTo + slack)),
        last,
        voice: options.voice,
      }));
    },
    violations,
    closedWith: () => closed,
    hasDied: () => dead,
    closedAt: () => closedAt,
    transferredTo: () => transferred,
    attach: (given) => {
      listener = given;
      if (closed !== null) given.closed(closed);
    },
    startSpeaking: () => {
      if (closed !== null || dead) return;
      play();
      speaking = true;
      for (const said of queue.filter(({ options }) => options.interruptible)) stop(said);
      listener?.speechStarted();
      schedule();
    },
    finishSpeaking: (text, continues = false) => {
      if (closed !== null || dead) return;
      play();
      if (!continues) speaking = false;
      listener?.customerSaid(text, null, continues);
    },
    say(text) {
      this.startSpeaking();
      this.finishSpeaking(text);
    },
    press: (digit) => {
      if (closed !== null || dead) return;
      play();
      listener?.digit(digit);
    },
    hearMachine: (greetingEnded) => {
      if (closed !== null || dead) return;
      play();
      listener?.machineHeard(greetingEnded);
    },
    close,
    die: () => {
      play();
      dead = true;
    },
  };
}
