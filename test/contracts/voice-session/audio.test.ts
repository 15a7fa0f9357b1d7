import type { VoiceSession } from "../../../application/ports/voice-session.ts";
import { openAudioSession } from "../../../application/voice/audio/open-audio-session.ts";
import { createCallee } from "../../../application/voice/callee/callee.ts";
import { utteranceEar } from "../../../infrastructure/speech/utterance-ear.ts";
import { silentLogger, silentMetrics } from "../../../simulation/memory/silent.ts";
import { createLineLeg } from "../../support/speech/line-leg.ts";
import { scriptedVoice } from "../../support/speech/scripted-voice.ts";
import { silence, speech, tone } from "../../support/speech/sounds.ts";
import { recordingListener } from "../../support/voice/recording-listener.ts";
import { describeVoiceSession } from "./voice-session-contract.ts";

const nothing = () => undefined;
const TRAITS = {
  heard: "estimated",
  runsFaster: false,
  transfers: false,
  ends: ["hung_up", "session_lost"],
} as const;
const SETTINGS = { voice: null, language: null, endSilenceMillis: 200, silenceTimeoutMillis: 60_000 };

describeVoiceSession(
  "over the sound of a line",
  async ({ clock, behaviour }) => {
    const told: string[] = [];
    const line = createLineLeg(clock, { keepsHeard: false });
    let saying = "";
    const callee = createCallee({
      clock,
      speed: 1,
      behaviour,
      linesSaid: 0,
      output: {
        heardWhole: nothing,
        cut: nothing,
        speaks: () => line.speak(speech(20_000, -20)),
        says: (text) => {
          saying = text;
          line.speak(silence(20));
        },
        presses: line.digit,
        beeps: () => line.speak(tone(300, -15, 1_000)),
        hangsUp: () => line.close("hung_up"),
      },
    });
    const arrived = Promise.withResolvers<VoiceSession>();
    await openAudioSession({
      leg: line.leg,
      callId: "call_1",
      speech: {
        voice: scriptedVoice(),
        ear: utteranceEar(async () => ({ text: saying, language: null })),
      },
      settings: SETTINGS,
      conversations: {
        arrive: async ({ session }) => {
          arrived.resolve(session);
          return recordingListener(told);
        },
      },
      clock,
      logger: silentLogger,
      metrics: silentMetrics,
    });
    const inner = await arrived.promise;
    const texts = new Map<number, string>();
    const session: VoiceSession = {
      ...inner,
      say: (id, token, last, options) => {
        inner.say(id, token, last, options);
        const text = `${texts.get(id) ?? ""}${token}`;
        texts.set(id, text);
        if (last)
          callee.hears({ id, text, interruptible: options.interruptible, begunAt: clock.monotonicMillis() });
      },
      clear: (id) => {
        inner.clear(id);
        callee.clear(id);
      },
    };
    const end = (cause: "hung_up" | "line_lost" | "session_lost") => {
      if (cause !== "line_lost") line.close(cause);
    };
    return { session, told, end };
  },
  TRAITS,
);
