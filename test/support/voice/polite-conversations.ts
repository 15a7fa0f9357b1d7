import type { Conversations, VoiceSession } from "../../../application/ports/voice-session.ts";
import type { CallId } from "../../../domain/shared/ids.ts";

export type Talked = { readonly callId: CallId; readonly session: VoiceSession; readonly told: string[] };

/** Greets a call once, and answers everything that a callee says; what was told of each session is kept. */
export function politeConversations(): Conversations & {
  readonly talks: Talked[];
  refuse(count: number): void;
} {
  const talks: Talked[] = [];
  let refusals = 0;
  return {
    talks,
    refuse: (count) => {
      refusals = count;
    },
    arrive: async ({ callId, session }) => {
      if (refusals > 0) {
        refusals -= 1;
        return null;
      }
      const told: string[] = [];
      const isFirst = !talks.some((talk) => talk.callId === callId);
      talks.push({ callId, session, told });
      let next = 0;
      const say = (text: string) => {
        next += 1;
        for (const token of text.split(/(?<= )/))
          session.say(next, token, false, { interruptible: true, voice: null, language: null });
        session.say(next, "", true, { interruptible: true, voice: null, language: null });
      };
      say(isFirst ? "Hello Ada, do you have a minute?" : "Here I am again.");
      return {
        speechStarted: () => told.push("speech"),
        customerSaid: (text) => {
          told.push(`said ${text}`);
          say("I see, let me write that down for you.");
        },
        heardWhole: (id) => told.push(`heard ${id}`),
        cut: (id) => told.push(`cut ${id}`),
        digit: (digit) => {
          told.push(`digit ${digit}`);
          if (digit === "#") say("Thank you for that number.");
        },
        silence: () => told.push("silence"),
        machineHeard: (greetingEnded) => told.push(`machine ${greetingEnded}`),
        closed: (cause) => told.push(`closed ${cause}`),
      };
    },
  };
}
