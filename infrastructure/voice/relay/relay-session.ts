import type { Clock } from "../../../application/ports/clock.ts";
import type { TextSocket } from "../../../application/ports/entrances.ts";
import type { SayOptions, SessionListener, VoiceSession } from "../../../application/ports/voice-session.ts";
import {
  type BufferedListener,
  createBufferedListener,
} from "../../../application/voice/buffered-listener.ts";
import { createTimer, type Timer } from "../../../application/voice/timer.ts";
import type { SessionEndCause } from "../../../domain/call/conversation-events.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import { MAX_WAITING_BYTES } from "./frame-limits.ts";
import type { RelayFrame, SentFrame } from "./frames.ts";
import { createSpoken, type Spoken } from "./spoken.ts";

export type RelaySession = {
  readonly session: VoiceSession;
  listen(listener: SessionListener): void;
  /** A frame after the setup. */
  receive(frame: RelayFrame): void;
  /** The socket is gone, or has to be closed: the last event to the listener. */
  close(cause: SessionEndCause, code?: number): void;
};

export type RelaySessionDeps = {
  readonly socket: TextSocket;
  readonly clock: Clock;
  /** 1, unless the callee is simulated. */
  readonly speed: number;
};

/** The other side closes the socket of a line that it hands on; by then it should have. */
const HAND_OVER_MILLIS = 10_000;

/** A voice session over a socket with the frames of ConversationRelay. */
export function createRelaySession(deps: RelaySessionDeps): RelaySession {
  return new OpenRelay(deps);
}

type FrameOf<Type extends RelayFrame["type"]> = Extract<RelayFrame, { type: Type }>;

class OpenRelay implements RelaySession {
  readonly session: VoiceSession;
  readonly #socket: TextSocket;
  readonly #speed: number;
  readonly #buffer: BufferedListener = createBufferedListener();
  readonly #drain: Timer;
  readonly #spoken: Spoken;
  readonly #stopped = new Set<number>();
  #speaking = false;
  #finishing = false;
  #handingOver = false;
  #over = false;

  constructor({ socket, clock, speed }: RelaySessionDeps) {
    this.#socket = socket;
    this.#speed = speed;
    this.#drain = createTimer(clock);
    this.#spoken = createSpoken({ clock, speed, onHeard: (id) => this.#heardWhole(id) });
    this.session = {
      kind: "relay",
      speed,
      say: (id, token, last, options) => this.#say(id, token, last, options),
      clear: (id) => this.#clear(id),
      transfer: (to) => this.#transfer(to),
      finish: (drainMillis) => this.#finish(drainMillis),
    };
  }

  listen(listener: SessionListener): void {
    this.#buffer.listen(listener);
  }

  receive(frame: RelayFrame): void {
    if (this.#over || this.#handingOver) return;
    if (frame.type === "prompt") this.#prompted(frame);
    else if (frame.type === "interrupt") this.#interrupted(frame);
    else if (frame.type === "dtmf") this.#buffer.tell((listener) => listener.digit(frame.digit));
    else if (frame.type === "machine")
      this.#buffer.tell((listener) => listener.machineHeard(frame.greetingEnded));
  }

  close(buffer: SessionEndCause, code = 1_000): void {
    if (this.#over) return;
    this.#over = true;
    // After our last frame the other side closes as it does after a hang-up.
    const cause = this.#handingOver && buffer === "hung_up" ? "finished" : buffer;
    this.#drain.cancel();
    this.#spoken.end();
    this.#buffer.tell((listener) => listener.closed(cause));
    this.#socket.close(code, cause);
  }

  #say(id: number, token: string, last: boolean, { interruptible, language }: SayOptions): void {
    if (this.#over || this.#finishing || this.#stopped.has(id)) return;
    const lang = language === null ? {} : { lang: language };
    this.#send({ type: "text", token, last, interruptible, ...lang });
    this.#spoken.add(id, token, last);
  }

  #clear(id: number): void {
    if (this.#over || this.#stopped.has(id)) return;
    const cut = this.#spoken.stop(id);
    if (cut === null) return;
    this.#stopped.add(id);
    this.#send({ type: "text", token: "", last: true, interruptible: true });
    this.#buffer.tell((listener) => listener.cut(id, cut.heard, cut.heardMillis, cut.precision));
    this.#endWhenSaid();
  }

  #transfer(to: PhoneNumber): "begun" | "unsupported" {
    if (this.#over || this.#handingOver) return "unsupported";
    this.#finishing = true;
    this.#handingOver = true;
    this.#send({ type: "end", handoffData: JSON.stringify({ transfer: to }) });
    this.#drain.set(HAND_OVER_MILLIS, () => this.close("session_lost"));
    return "begun";
  }

  #finish(drainMillis: number): void {
    if (this.#over) return;
    this.#finishing = true;
    if (drainMillis <= 0 || this.#spoken.isEmpty()) this.#end();
    else this.#drain.set(drainMillis / this.#speed, () => this.#end());
  }

  #end(): void {
    if (this.#over) return;
    this.#send({ type: "end" });
    this.close("finished");
  }

  #endWhenSaid(): void {
    if (this.#finishing && !this.#handingOver && this.#spoken.isEmpty()) this.#end();
  }

  #heardWhole(id: number): void {
    this.#buffer.tell((listener) => listener.heardWhole(id));
    this.#endWhenSaid();
  }

  #prompted({ voicePrompt, lang, last }: FrameOf<"prompt">): void {
    this.#spoken.hearAll();
    if (!last) {
      this.#speechGoesOn();
      return;
    }
    this.#speechStarts();
    this.#speaking = false;
    this.#buffer.tell((listener) => listener.customerSaid(voicePrompt, lang ?? null, false));
  }

  #interrupted({ utteranceUntilInterrupt, durationUntilInterruptMs }: FrameOf<"interrupt">): void {
    for (const cut of this.#spoken.interrupt(utteranceUntilInterrupt, durationUntilInterruptMs ?? null)) {
      const { id, heard, heardMillis, precision } = cut;
      this.#stopped.add(id);
      this.#buffer.tell((listener) => listener.cut(id, heard, heardMillis, precision));
    }
    this.#speechStarts();
    this.#endWhenSaid();
  }

  #speechStarts(): void {
    if (!this.#speaking) this.#speechGoesOn();
  }

  #speechGoesOn(): void {
    this.#speaking = true;
    this.#buffer.tell((listener) => listener.speechStarted());
  }

  #send(frame: SentFrame): void {
    this.#socket.send(JSON.stringify(frame));
    if (this.#socket.waiting() > MAX_WAITING_BYTES) this.close("session_lost", 1_008);
  }
}
