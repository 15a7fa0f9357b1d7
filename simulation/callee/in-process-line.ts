import type { Clock } from "../../application/ports/clock.ts";
import type { Logger } from "../../application/ports/logger.ts";
import type { Conversations } from "../../application/ports/voice-session.ts";
import {
  type CalleeSession,
  createCalleeSession,
  type LineEvents,
} from "../../application/voice/callee/callee-session.ts";
import { createSleepCut, type SleepCut } from "../../application/wake-signal.ts";
import type { AnsweredCall, AnsweredLine, PutThrough } from "./answered-line.ts";

/** The answer may not be in the log yet, or the log may be unavailable. */
const TRY_AGAIN_MILLIS = 250;

export type InProcessLineDeps = {
  readonly clock: Clock;
  readonly speed: number;
  readonly conversations: Conversations;
  readonly logger: Logger;
};

/** Gives the sessions of answered calls to the conversations of this process. */
export function putThroughInProcess(deps: InProcessLineDeps): PutThrough {
  return (answered, events) => {
    const stop = createSleepCut();
    const line: { current: CalleeSession | null } = { current: null };
    void talkUntilTaken(deps, answered, events, line, stop);
    const end: AnsweredLine["end"] = (cause) => {
      stop.abort();
      line.current?.close(cause);
    };
    return { end };
  };
}

async function talkUntilTaken(
  { clock, speed, conversations, logger }: InProcessLineDeps,
  { call: { callId }, behaviour, linesSaid }: AnsweredCall,
  events: LineEvents,
  line: { current: CalleeSession | null },
  stop: SleepCut,
): Promise<void> {
  while (!stop.aborted) {
    const opened = createCalleeSession({ clock, speed, behaviour, linesSaid, events });
    line.current = opened;
    try {
      const listener = await conversations.arrive({ callId, session: opened.session });
      if (listener !== null) return opened.listen(listener);
    } catch (error) {
      logger.error({ callId, error }, "the conversation could not be opened");
    }
    opened.close("refused");
    await clock.sleep(TRY_AGAIN_MILLIS, stop);
  }
}
