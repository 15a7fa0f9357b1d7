import type { SessionEndCause } from "../../../domain/call/conversation-events.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { Speech } from "../../ports/speech.ts";
import type { Conversations, SessionListener, VoiceSession } from "../../ports/voice-session.ts";
import { type BufferedListener, createBufferedListener } from "../buffered-listener.ts";
import { createTimer, type Timer } from "../timer.ts";
import type { AudioLeg } from "./audio-leg.ts";
import type { AudioSettings } from "./audio-settings.ts";
import { createSpeechOutput, type SpeechOutput, type SpeechOutputEvents } from "./speech-output.ts";
import { createTurnTaking, type TurnTaking } from "./turn-taking.ts";

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

/** After so many failures in a row the voice counts as lost for this call. */
const FAILED_UTTERANCES = 3;

/**
 * Opens the conversation of an answered call's audio. `refused`: there is no such live call;
 * the leg is not changed.
 */
export async function openAudioSession(deps: AudioSessionDeps): Promise<"taken" | "refused"> {
  const audio = new AudioSession(deps);
  const listener = await arrived(deps, audio.session);
  if (listener === null) {
    audio.close("refused");
    return "refused";
  }
  audio.listen(listener);
  return "taken";
}

/** Reports silence, the end, and the events of speech output and turns to the conversation. */
class AudioSession {
  readonly session: VoiceSession;
  readonly #deps: AudioSessionDeps;
  readonly #buffer: BufferedListener = createBufferedListener();
  readonly #silence: Timer;
  readonly #drain: Timer;
  readonly #output: SpeechOutput;
  readonly #turns: TurnTaking;
  #failures = 0;
  #finishing = false;
  #over = false;

  constructor(deps: AudioSessionDeps) {
    const { leg, speech, settings, clock, logger } = deps;
    this.#deps = deps;
    this.#silence = createTimer(clock);
    this.#drain = createTimer(clock);
    const { voice } = speech;
    const { language } = settings;
    this.#output = createSpeechOutput({ leg, voice, language, logger, events: this.#outputEvents() });
    this.#turns = this.#takeTurns();
    this.session = {
      kind: "audio",
      speed: 1,
      say: (id, token, last, options) => this.#say(id, token, last, options),
      clear: (id) => {
        if (!this.#over) void this.#output.stop((utterance) => utterance.id === id);
      },
      transfer: () => "unsupported",
      finish: (drainMillis) => this.#finish(drainMillis),
    };
    this.#hearLeg();
  }

  listen(listener: SessionListener): void {
    this.#buffer.listen(listener);
  }

  close(cause: SessionEndCause): void {
    if (this.#over) return;
    this.#buffer.tell((listener) => listener.closed(cause));
    this.#over = true;
    this.#silence.cancel();
    this.#drain.cancel();
    this.#output.end();
    this.#turns.end();
    if (cause === "finished") this.#deps.leg.hangUp();
  }

  /** `closed` is the last event. */
  #tell(telling: Parameters<BufferedListener["tell"]>[0]): void {
    if (!this.#over) this.#buffer.tell(telling);
  }

  #watchSilence(): void {
    if (this.#over) return;
    this.#silence.set(this.#deps.settings.silenceTimeoutMillis, () => {
      const isSilent = this.#output.current() === null && !this.#turns.customerSpeaks();
      if (isSilent) this.#tell((listener) => listener.silence());
      this.#watchSilence();
    });
  }

  #say(...[id, token, last, options]: Parameters<VoiceSession["say"]>): void {
    if (this.#over || this.#finishing) return;
    this.#output.say(id, token, last, options);
    this.#watchSilence();
  }

  #finish(drainMillis: number): void {
    if (this.#over) return;
    this.#finishing = true;
    if (drainMillis <= 0 || this.#output.current() === null) this.close("finished");
    else this.#drain.set(drainMillis, () => this.close("finished"));
  }

  #outputEvents(): SpeechOutputEvents {
    return {
      heardWhole: (id) => {
        this.#failures = 0;
        this.#tell((listener) => listener.heardWhole(id));
      },
      cut: (id, { heard, heardMillis, precision }) =>
        this.#tell((listener) => listener.cut(id, heard, heardMillis, precision)),
      failed: (id, { heard, heardMillis, precision }) => {
        this.#failures += 1;
        this.#tell((listener) => {
          listener.cut(id, heard, heardMillis, precision);
          listener.customerSaid("", null, false);
        });
        if (this.#failures >= FAILED_UTTERANCES) this.close("session_lost");
      },
      empty: () => {
        this.#watchSilence();
        if (this.#finishing) this.close("finished");
      },
    };
  }

  #takeTurns(): TurnTaking {
    const { leg, callId, speech, settings, clock, metrics, logger } = this.#deps;
    return createTurnTaking({
      leg,
      output: this.#output,
      ear: speech.ear,
      settings,
      tell: (telling) => this.#tell(telling),
      clock,
      metrics,
      onSound: () => this.#watchSilence(),
      onEarFailed: (cause) => logger.warn({ callId, cause }, "words of the customer were lost"),
    });
  }

  #hearLeg(): void {
    this.#deps.leg.listen({
      audio: (audio) => {
        if (!this.#over) this.#turns.audio(audio);
      },
      played: (mark) => {
        if (!this.#over) this.#output.played(mark);
      },
      digit: (digit) => {
        if (this.#over) return;
        this.#watchSilence();
        this.#tell((listener) => listener.digit(digit));
      },
      closed: (cause) => this.close(cause),
    });
  }
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
