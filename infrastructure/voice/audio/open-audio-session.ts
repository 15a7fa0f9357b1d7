import type { Clock } from "../../../application/ports/clock.ts";
import type { Logger } from "../../../application/ports/logger.ts";
import type { Metrics } from "../../../application/ports/metrics.ts";
import type { Speech } from "../../../application/ports/speech.ts";
import type {
  Conversations,
  SessionListener,
  VoiceSession,
} from "../../../application/ports/voice-session.ts";
import type { SessionEndCause } from "../../../domain/call/conversation-events.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { createTimer } from "../timer.ts";
import { createToldListener } from "../told-listener.ts";
import type { AudioLeg } from "./audio-leg.ts";
import type { AudioSettings } from "./audio-settings.ts";
import { createMouth } from "./mouth.ts";
import { createTurnTaking } from "./turn-taking.ts";

export type AudioSessionDeps = {
  readonly leg: AudioLeg;
  readonly callId: CallId;
  readonly speech: Speech;
  readonly settings: AudioSettings;
  readonly conversations: Conversations;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
};

/** A voice that fails so often in a row will not come back during this call. */
const FAILED_UTTERANCES = 3;

/** The sound of an answered call becomes its conversation. `refused`: there is no such live call; the leg is left as it is. */
export async function openAudioSession(deps: AudioSessionDeps): Promise<"taken" | "refused"> {
  const { leg, callId, speech, settings, clock, metrics } = deps;
  const { tell, listen } = createToldListener();
  const silence = createTimer(clock);
  const drain = createTimer(clock);
  let failures = 0;
  let finishing = false;
  let over = false;

  const close = (cause: SessionEndCause) => {
    if (over) return;
    tell((listener) => listener.closed(cause));
    over = true;
    silence.cancel();
    drain.cancel();
    mouth.end();
    turns.end();
    if (cause === "finished") leg.hangUp();
  };
  /** `closed` is the last word. */
  const told = (telling: Parameters<typeof tell>[0]) => {
    if (!over) tell(telling);
  };
  const watchSilence = () => {
    if (over) return;
    silence.set(settings.silenceTimeoutMillis, () => {
      if (mouth.current() === null && !turns.customerSpeaks()) told((listener) => listener.silence());
      watchSilence();
    });
  };
  const mouth = createMouth({
    leg,
    voice: speech.voice,
    language: settings.language,
    logger: deps.logger,
    events: {
      heardWhole: (id) => {
        failures = 0;
        told((listener) => listener.heardWhole(id));
      },
      cut: (id, { heard, heardMillis, precision }) =>
        told((listener) => listener.cut(id, heard, heardMillis, precision)),
      failed: (id, { heard, heardMillis, precision }) => {
        failures += 1;
        told((listener) => {
          listener.cut(id, heard, heardMillis, precision);
          listener.customerSaid("", null, false);
        });
        if (failures >= FAILED_UTTERANCES) close("session_lost");
      },
      empty: () => {
        watchSilence();
        if (finishing) close("finished");
      },
    },
  });
  const turns = createTurnTaking({
    leg,
    mouth,
    ear: speech.ear,
    settings,
    tell: told,
    clock,
    metrics,
    onSound: watchSilence,
    onEarFailed: (cause) => deps.logger.warn({ callId, cause }, "words of the customer were lost"),
  });
  const session: VoiceSession = {
    kind: "audio",
    speed: 1,
    say: (id, token, last, options) => {
      if (over || finishing) return;
      mouth.say(id, token, last, options);
      watchSilence();
    },
    clear: (id) => {
      if (!over) void mouth.stop((utterance) => utterance.id === id);
    },
    transfer: () => "unsupported",
    finish: (drainMillis) => {
      if (over) return;
      finishing = true;
      if (drainMillis <= 0 || mouth.current() === null) close("finished");
      else drain.set(drainMillis, () => close("finished"));
    },
  };
  leg.listen({
    audio: (audio) => {
      if (!over) turns.audio(audio);
    },
    played: (mark) => {
      if (!over) mouth.played(mark);
    },
    digit: (digit) => {
      if (over) return;
      watchSilence();
      told((listener) => listener.digit(digit));
    },
    closed: close,
  });
  const listener = await arrived(deps, session);
  if (listener === null) {
    close("refused");
    return "refused";
  }
  listen(listener);
  return "taken";
}

async function arrived(
  { conversations, callId, logger }: AudioSessionDeps,
  session: VoiceSession,
): Promise<SessionListener | null> {
  try {
    return await conversations.arrive({ callId, session });
  } catch (error) {
    logger.error({ callId, error }, "the conversation could not be opened");
    return null;
  }
}
