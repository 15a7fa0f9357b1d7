import type { SessionEndCause } from "../../../domain/call/conversation-events.ts";
import type { Clock } from "../../ports/clock.ts";
import type { SessionListener, VoiceSession } from "../../ports/voice-session.ts";
import { createBufferedListener } from "../buffered-listener.ts";
import { createTimer, type Timer } from "../timer.ts";
import type { CalleeBehaviour } from "./behaviour.ts";
import { type Callee, type CalleeOutput, createCallee } from "./callee.ts";

/** Events of the line for the carrier. None after `close`. */
export type LineEvents = {
  /** The callee has said a line; `linesSaid` is their number now. */
  readonly onSaid: (linesSaid: number) => void;
  readonly onHangUp: () => void;
  /** We have said our last words: the carrier ends the call. */
  readonly onFinished: () => void;
  /** The line goes to another number: the call is over. */
  readonly onTransferred: () => void;
};

export type CalleeSession = {
  readonly session: VoiceSession;
  listen(listener: SessionListener): void;
  close(cause: SessionEndCause): void;
  /** Of the callee, so far. */
  readonly linesSaid: () => number;
};

export type CalleeSessionDeps = {
  readonly clock: Pick<Clock, "monotonicMillis" | "sleep">;
  readonly speed: number;
  /** Of its session; absent: line time never stands still. */
  readonly stoodMillis?: () => number;
  readonly behaviour: CalleeBehaviour;
  readonly linesSaid: number;
  readonly events: LineEvents;
};

/** Line time that a carrier takes to hand the line on. */
const HAND_OVER_MILLIS = 500;

type Open = { text: string; readonly begunAt: number };

/** A simulated callee as a voice session of this process. Utterances are passed as a whole. */
export function createCalleeSession(deps: CalleeSessionDeps): CalleeSession {
  const line = new CalleeLine(deps);
  return {
    listen: line.listen,
    close: (cause) => line.close(cause),
    linesSaid: () => line.linesSaid(),
    session: {
      kind: "in_process",
      speed: deps.speed,
      ...(deps.stoodMillis && { stoodMillis: deps.stoodMillis }),
      say: (id, token, last, { interruptible }) => line.say(id, token, last, interruptible),
      clear: (id) => line.clear(id),
      transfer: () => line.transfer(),
      finish: (drainMillis) => line.finish(drainMillis),
    },
  };
}

class CalleeLine {
  readonly #deps: CalleeSessionDeps;
  readonly #buffer = createBufferedListener();
  readonly #drain: Timer;
  readonly #callee: Callee;
  readonly #open = new Map<number, Open>();
  /** Neither heard completely nor cut. */
  readonly #under = new Set<number>();
  readonly #stopped = new Set<number>();
  #finishing = false;
  #handingOver = false;
  #over = false;

  constructor(deps: CalleeSessionDeps) {
    this.#deps = deps;
    this.#drain = createTimer(deps.clock);
    this.#callee = createCallee({ ...deps, output: this.#output() });
  }

  readonly listen = this.#buffer.listen;

  linesSaid(): number {
    return this.#callee.linesSaid();
  }

  say(id: number, token: string, last: boolean, interruptible: boolean): void {
    if (this.#over || this.#finishing || this.#stopped.has(id)) return;
    const utterance = this.#open.get(id) ?? { text: "", begunAt: this.#deps.clock.monotonicMillis() };
    utterance.text += token;
    this.#open.set(id, utterance);
    this.#under.add(id);
    if (!last) return;
    this.#open.delete(id);
    this.#callee.hears({ id, ...utterance, interruptible });
  }

  clear(id: number): void {
    if (this.#over || !this.#under.has(id)) return;
    if (this.#open.delete(id)) this.#cut(id, "", 0);
    else this.#callee.clear(id);
  }

  transfer(): "begun" | "unsupported" {
    if (this.#over || this.#finishing) return "unsupported";
    this.#finishing = true;
    this.#handingOver = true;
    this.#drain.set(HAND_OVER_MILLIS / this.#deps.speed, () => {
      this.#end("finished");
      this.#deps.events.onTransferred();
    });
    return "begun";
  }

  finish(drainMillis: number): void {
    if (this.#over) return;
    this.#finishing = true;
    if (drainMillis <= 0 || this.#under.size === 0) this.close("finished");
    else this.#drain.set(drainMillis / this.#deps.speed, () => this.close("finished"));
  }

  close(cause: SessionEndCause): void {
    if (this.#over) return;
    this.#end(cause);
    if (cause === "finished") this.#deps.events.onFinished();
  }

  #end(cause: SessionEndCause): void {
    this.#over = true;
    this.#drain.cancel();
    this.#callee.stop();
    this.#buffer.tell((listener) => listener.closed(cause));
  }

  #output(): CalleeOutput {
    const { events } = this.#deps;
    const buffer = this.#buffer;
    return {
      heardWhole: (id) => {
        buffer.tell((listener) => listener.heardWhole(id));
        this.#done(id);
      },
      cut: (id, heard, heardMillis) => this.#cut(id, heard, heardMillis),
      speaks: () => buffer.tell((listener) => listener.speechStarted()),
      says: (text) => {
        events.onSaid(this.#callee.linesSaid());
        buffer.tell((listener) => listener.customerSaid(text, null, false));
      },
      presses: (digit) => buffer.tell((listener) => listener.digit(digit)),
      beeps: () => buffer.tell((listener) => listener.machineHeard(true)),
      hangsUp: () => {
        this.close("hung_up");
        events.onHangUp();
      },
    };
  }

  #done(id: number): void {
    this.#under.delete(id);
    if (this.#finishing && !this.#handingOver && this.#under.size === 0) this.close("finished");
  }

  #cut(id: number, heard: string, heardMillis: number): void {
    this.#stopped.add(id);
    this.#buffer.tell((listener) => listener.cut(id, heard, heardMillis, "exact"));
    this.#done(id);
  }
}
