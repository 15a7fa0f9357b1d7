import type { SpeechToText, TextToSpeech } from "../../../application/ports/speech.ts";
import type { SessionListener, VoiceSession } from "../../../application/ports/voice-session.ts";
import { openAudioSession } from "../../../application/voice/audio/open-audio-session.ts";
import { type Transcribe, utteranceEar } from "../../../infrastructure/speech/utterance-ear.ts";
import { inTurns } from "../../../simulation/campaigns/in-turns.ts";
import { seededRandom } from "../../../simulation/campaigns/seeded-random.ts";
import { createVirtualClock } from "../../../simulation/campaigns/virtual-clock.ts";
import { silentLogger, silentMetrics } from "../../../simulation/memory/silent.ts";
import { recordingListener } from "../voice/recording-listener.ts";
import { createLineLeg } from "./line-leg.ts";
import { scriptedVoice } from "./scripted-voice.ts";

type Options = {
  /** null: only digits are heard. */
  readonly transcribe?: Transcribe | null;
  /** Instead of one that transcribes whole utterances. */
  readonly ear?: SpeechToText;
  /** Instead of the scripted voice. */
  readonly speaker?: TextToSpeech;
  readonly endSilenceMillis?: number;
  readonly silenceTimeoutMillis?: number;
  /** The voice needs so long for each piece. */
  readonly voiceMillis?: number;
  readonly flushMillis?: number;
  readonly refuses?: boolean;
};

/** An audio session on a virtual line; the test is the customer and the conversation. */
export async function audioCall(options: Options = {}) {
  const clock = createVirtualClock(Date.parse("2026-09-01T10:00:00.000Z"), seededRandom(1));
  const line = createLineLeg(clock, { flushMillis: options.flushMillis ?? 0 });
  const voice = scriptedVoice(() => clock.sleep(options.voiceMillis ?? 0));
  const warned: unknown[] = [];
  const counted: unknown[] = [];
  const told: { readonly what: string; readonly at: number }[] = [];
  const lines = {
    push: (what: string) => told.push({ what, at: clock.elapsed() }),
    at: (index: number) => told.at(index)?.what,
  };
  const listener: SessionListener = recordingListener(lines as unknown as string[]);
  const { transcribe = async () => ({ text: "words", language: null }) } = options;
  const { ear = transcribe === null ? null : utteranceEar(transcribe) } = options;
  const arrived: VoiceSession[] = [];
  const outcome = await openAudioSession({
    leg: line.leg,
    callId: "call_1",
    speech: { voice: options.speaker ?? voice, ear },
    settings: {
      language: null,
      endSilenceMillis: options.endSilenceMillis ?? 650,
      silenceTimeoutMillis: options.silenceTimeoutMillis ?? 50_000,
    },
    conversations: {
      arrive: async ({ session }) => {
        arrived.push(session);
        return options.refuses === true ? null : listener;
      },
    },
    clock,
    logger: { ...silentLogger, warn: (fields) => void warned.push(fields) },
    metrics: { ...silentMetrics, count: (name, labels) => void counted.push({ name, ...labels }) },
  });
  const pass = (millis: number) => {
    let there = false;
    clock.after(millis, () => {
      there = true;
    });
    return inTurns(() => (there || !clock.advance() ? true : undefined));
  };
  const [session] = arrived;
  if (session === undefined) throw new Error("no session arrived");
  return {
    outcome,
    session,
    line,
    voice,
    clock,
    pass,
    warned,
    counted,
    told: () => told.map(({ what }) => what),
    toldAt: (what: string) => told.find((each) => each.what.startsWith(what))?.at ?? Number.NaN,
    /** What the customer heard until now. */
    heard: () => Buffer.concat(line.heard),
    say: (id: number, text: string, interruptible = true) =>
      session.say(id, text, true, { interruptible, voice: null, language: null }),
  };
}
