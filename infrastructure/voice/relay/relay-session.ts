import type { Clock } from "../../../application/ports/clock.ts";
import type { TextSocket } from "../../../application/ports/entrances.ts";
import type { SessionListener, VoiceSession } from "../../../application/ports/voice-session.ts";
import type { SessionEndCause } from "../../../domain/call/conversation-events.ts";
import { createTimer } from "../timer.ts";
import { createToldListener } from "../told-listener.ts";
import { MAX_WAITING_BYTES } from "./frame-limits.ts";
import type { RelayFrame, SentFrame } from "./frames.ts";
import { createSpoken } from "./spoken.ts";

export type RelaySession = {
  readonly session: VoiceSession;
  listen(listener: SessionListener): void;
  /** A frame behind the setup. */
  receive(frame: RelayFrame): void;
  /** The socket is gone, or is to go: the last word to the listener. */
  close(cause: SessionEndCause, code?: number): void;
};

export type RelaySessionDeps = {
  readonly socket: TextSocket;
  readonly clock: Clock;
  /** 1, unless the callee is simulated. */
  readonly speed: number;
};

/** A call's words over a socket that speaks the frames of ConversationRelay. */
export function createRelaySession({ socket, clock, speed }: RelaySessionDeps): RelaySession {
  const told = createToldListener();
  const drain = createTimer(clock);
  const stopped = new Set<number>();
  let speaking = false;
  let finishing: { readonly handoffData?: string } | null = null;
  let over = false;

  const close = (cause: SessionEndCause, code = 1_000) => {
    if (over) return;
    over = true;
    drain.cancel();
    spoken.end();
    told.tell((listener) => listener.closed(cause));
    socket.close(code, cause);
  };
  const send = (frame: SentFrame) => {
    socket.send(JSON.stringify(frame));
    if (socket.waiting() > MAX_WAITING_BYTES) close("session_lost", 1_008);
  };
  const end = () => {
    if (over || finishing === null) return;
    send({ type: "end", ...finishing });
    close("finished");
  };
  const endWhenSaid = () => {
    if (finishing !== null && spoken.isEmpty()) end();
  };
  const spoken = createSpoken({
    clock,
    speed,
    onHeard: (id) => {
      told.tell((listener) => listener.heardWhole(id));
      endWhenSaid();
    },
  });
  const speechGoesOn = () => {
    speaking = true;
    told.tell((listener) => listener.speechStarted());
  };
  const speechStarts = () => {
    if (!speaking) speechGoesOn();
  };
  const interrupted = (frame: Extract<RelayFrame, { type: "interrupt" }>) => {
    for (const cut of spoken.interrupt(
      frame.utteranceUntilInterrupt,
      frame.durationUntilInterruptMs ?? null,
    )) {
      const { id, heard, heardMillis, precision } = cut;
      stopped.add(id);
      told.tell((listener) => listener.cut(id, heard, heardMillis, precision));
    }
    speechStarts();
    endWhenSaid();
  };
  const prompted = ({ voicePrompt, lang, last }: Extract<RelayFrame, { type: "prompt" }>) => {
    spoken.hearAll();
    if (!last) return speechGoesOn();
    speechStarts();
    speaking = false;
    told.tell((listener) => listener.customerSaid(voicePrompt, lang ?? null, false));
  };

  return {
    listen: told.listen,
    close,
    receive: (frame) => {
      if (over) return;
      if (frame.type === "prompt") prompted(frame);
      else if (frame.type === "interrupt") interrupted(frame);
      else if (frame.type === "dtmf") told.tell((listener) => listener.digit(frame.digit));
      else if (frame.type === "machine") told.tell((listener) => listener.machineHeard(frame.greetingEnded));
    },
    session: {
      kind: "relay",
      speed,
      say: (id, token, last, { interruptible, language }) => {
        if (over || finishing !== null || stopped.has(id)) return;
        const lang = language === null ? {} : { lang: language };
        send({ type: "text", token, last, interruptible, ...lang });
        spoken.add(id, token, last);
      },
      clear: (id) => {
        if (over || stopped.has(id)) return;
        const cut = spoken.stop(id);
        if (cut === null) return;
        stopped.add(id);
        send({ type: "text", token: "", last: true, interruptible: true });
        told.tell((listener) => listener.cut(id, cut.heard, cut.heardMillis, cut.precision));
        endWhenSaid();
      },
      transfer: (to) => {
        if (over) return "unsupported";
        finishing = { handoffData: JSON.stringify({ transfer: to }) };
        end();
        return "begun";
      },
      finish: (drainMillis) => {
        if (over) return;
        finishing ??= {};
        if (drainMillis <= 0 || spoken.isEmpty()) return end();
        drain.set(drainMillis / speed, end);
      },
    },
  };
}
