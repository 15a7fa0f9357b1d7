import { z } from "zod";
import type { Clock } from "../../application/ports/clock.ts";
import type { CalleeBehaviour } from "../../application/voice/callee/behaviour.ts";
import { type Callee, createCallee } from "../../application/voice/callee/callee.ts";
import type { LineEvents } from "../../application/voice/callee/callee-session.ts";

const received = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("text"),
    token: z.string(),
    last: z.boolean(),
    interruptible: z.boolean().default(true),
  }),
  z.object({ type: z.literal("end"), handoffData: z.string().optional() }),
]);

export type RelayCalleeDeps = {
  /** The first frame. */
  readonly setup: object;
  readonly behaviour: CalleeBehaviour;
  /** Lines of earlier sessions. */
  readonly linesSaid: number;
  readonly clock: Clock;
  readonly speed: number;
  readonly events: LineEvents;
  readonly send: (text: string) => void;
  /** The greeting of a machine is over. */
  readonly onBeep: () => void;
  /** The socket has to be closed. */
  readonly onOver: (why: "over" | "finished" | "transferred") => void;
};

export type RelayCallee = {
  /** The socket is open: the setup frame is sent first. */
  readonly begin: () => void;
  readonly receive: (text: string) => void;
  readonly stop: () => void;
};

/**
 * The callee's end of the relay: takes `text` frames, a whole utterance at a time, and answers as
 * ConversationRelay would.
 */
export function createRelayCallee(deps: RelayCalleeDeps): RelayCallee {
  const { clock, speed, send, events } = deps;
  let callee: Callee | null = null;
  let utterance: { text: string; readonly begunAt: number } | null = null;
  let id = 0;
  const frame = (value: object) => send(JSON.stringify(value));
  const output = {
    heardWhole: () => undefined,
    cut: (_id: number, heard: string, heardMillis: number) => {
      if (heardMillis > 0)
        frame({ type: "interrupt", utteranceUntilInterrupt: heard, durationUntilInterruptMs: heardMillis });
    },
    speaks: () => frame({ type: "prompt", voicePrompt: "", lang: "en-US", last: false }),
    says: (voicePrompt: string) => {
      if (callee !== null) events.onSaid(callee.linesSaid());
      frame({ type: "prompt", voicePrompt, lang: "en-US", last: true });
    },
    presses: (digit: string) => frame({ type: "dtmf", digit }),
    beeps: deps.onBeep,
    hangsUp: () => deps.onOver("over"),
  };
  const hear = (token: string, last: boolean, interruptible: boolean) => {
    utterance ??= { text: "", begunAt: clock.monotonicMillis() };
    utterance.text += token;
    if (!last) return;
    id += 1;
    const whole = utterance;
    utterance = null;
    if (whole.text !== "") callee?.hears({ id, ...whole, interruptible });
  };
  return {
    begin: () => {
      frame(deps.setup);
      callee = createCallee({ clock, speed, behaviour: deps.behaviour, output, linesSaid: deps.linesSaid });
    },
    receive: (text) => {
      const parsed = received.safeParse(JSON.parse(text));
      if (!parsed.success) return;
      if (parsed.data.type === "end")
        deps.onOver(parsed.data.handoffData === undefined ? "finished" : "transferred");
      else hear(parsed.data.token, parsed.data.last, parsed.data.interruptible);
    },
    stop: () => callee?.stop(),
  };
}
