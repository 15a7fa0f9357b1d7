import type { Clock } from "../../../../application/ports/clock.ts";
import type { SessionListener, VoiceSession } from "../../../../application/ports/voice-session.ts";
import type { SessionEndCause } from "../../../../domain/call/conversation-events.ts";
import { createTimer } from "../../../voice/timer.ts";
import { createToldListener } from "../../../voice/told-listener.ts";
import type { LineEvents } from "./answered-line.ts";
import { type Callee, createCallee } from "./callee.ts";
import type { CalleeMind } from "./mind.ts";

export type InProcessSession = {
  readonly session: VoiceSession;
  listen(listener: SessionListener): void;
  close(cause: SessionEndCause): void;
};

export type InProcessSessionDeps = {
  readonly clock: Clock;
  readonly speed: number;
  readonly mind: CalleeMind;
  readonly linesSaid: number;
  readonly events: LineEvents;
};

type Open = { text: string; readonly begunAt: number };

/** A simulated callee as a voice session of this process. Utterances are passed as a whole. */
export function createInProcessSession(deps: InProcessSessionDeps): InProcessSession {
  const { clock, speed, events } = deps;
  const told = createToldListener();
  const drain = createTimer(clock);
  const open = new Map<number, Open>();
  /** Neither heard completely nor cut. */
  const under = new Set<number>();
  const stopped = new Set<number>();
  let finishing = false;
  let over = false;

  const close = (cause: SessionEndCause) => {
    if (over) return;
    over = true;
    drain.cancel();
    callee.stop();
    told.tell((listener) => listener.closed(cause));
    if (cause === "finished") events.onFinished();
  };
  const done = (id: number) => {
    under.delete(id);
    if (finishing && under.size === 0) close("finished");
  };
  const cut = (id: number, heard: string, heardMillis: number) => {
    stopped.add(id);
    told.tell((listener) => listener.cut(id, heard, heardMillis, "exact"));
    done(id);
  };
  const callee: Callee = createCallee({
    ...deps,
    mouth: {
      heardWhole: (id) => {
        told.tell((listener) => listener.heardWhole(id));
        done(id);
      },
      cut,
      speaks: () => told.tell((listener) => listener.speechStarted()),
      says: (text) => {
        events.onSaid(callee.linesSaid());
        told.tell((listener) => listener.customerSaid(text, null, false));
      },
      presses: (digit) => told.tell((listener) => listener.digit(digit)),
      beeps: () => told.tell((listener) => listener.machineHeard(true)),
      hangsUp: () => {
        close("hung_up");
        events.onHangUp();
      },
    },
  });
  const clear = (id: number) => {
    if (over || !under.has(id)) return;
    if (open.delete(id)) cut(id, "", 0);
    else callee.clear(id);
  };

  return {
    listen: told.listen,
    close,
    session: {
      kind: "in_process",
      speed,
      say: (id, token, last, { interruptible }) => {
        if (over || finishing || stopped.has(id)) return;
        const utterance = open.get(id) ?? { text: "", begunAt: clock.monotonicMillis() };
        utterance.text += token;
        open.set(id, utterance);
        under.add(id);
        if (!last) return;
        open.delete(id);
        callee.hears({ id, ...utterance, interruptible });
      },
      clear,
      transfer: () => {
        if (over) return "unsupported";
        close("finished");
        return "begun";
      },
      finish: (drainMillis) => {
        if (over) return;
        finishing = true;
        if (drainMillis <= 0 || under.size === 0) close("finished");
        else drain.set(drainMillis / speed, () => close("finished"));
      },
    },
  };
}
