import { type ChildProcess, fork } from "node:child_process";
import { loadavg } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import process from "node:process";
import type { TextToSpeech } from "../../application/ports/speech.ts";
import type { Conversations } from "../../application/ports/voice-session.ts";
import { openMediaLeg } from "../../infrastructure/carriers/asterisk/media/media-leg.ts";
import { systemClock } from "../../infrastructure/clock.ts";
import { createPcmReader } from "../../infrastructure/speech/pcm.ts";
import { createResampler } from "../../infrastructure/speech/resampler.ts";
import { utteranceEar } from "../../infrastructure/speech/utterance-ear.ts";
import { openAudioSession } from "../../infrastructure/voice/audio/open-audio-session.ts";
import { silentLogger, silentMetrics } from "../../test/support/silent.ts";
import { pcm24kOf } from "../../test/support/speech/pcm-24k.ts";
import { speech } from "../../test/support/speech/sounds.ts";
import type { FarEndFigures } from "../audio-far-end.ts";
import type { Benchmark, Result } from "../benchmark.ts";
import { OURS, row } from "../rows.ts";

const COUNT = Number(process.env["AUDIO_COUNT"] ?? 50);
const SECONDS = Number(process.env["AUDIO_SECONDS"] ?? 40);
const END_SILENCE_MILLIS = 500;
const GREETING =
  "Good morning, this is Ada from the library. I am calling about the books that you have borrowed.";
const ANSWER =
  "I see, thank you for telling me. Your books are due on Friday. You may keep them for two more weeks, if nobody waits for them.";

/** Live audio calls in one process: the far ends play in real time in another one, as Asterisk does, and talk, wait and interrupt. */
export const benchmark: Benchmark = { name: "audio", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const far = fork(new URL("../audio-far-end.ts", import.meta.url));
  const url = String(await message(far));
  log(`${COUNT} calls of ${SECONDS} s; load of the machine ${loadavg()[0]?.toFixed(1)}`);
  let turns = 0;
  const conversations = talking(() => {
    turns += 1;
  });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const used = process.cpuUsage();
  delay.enable();
  for (let index = 0; index < COUNT; index += 1) {
    await openCall(url, conversations);
    await systemClock.sleep(2_000 / COUNT);
  }
  await systemClock.sleep(SECONDS * 1_000);
  delay.disable();
  const cpu = process.cpuUsage(used);
  far.send("over");
  const { late, answers, pauses } = (await message(far)) as FarEndFigures;
  const minutes = (COUNT * (SECONDS + 1)) / 60;
  return {
    benchmark: "audio",
    settings: {
      calls: COUNT,
      seconds: SECONDS,
      turns,
      answers: answers.length,
      interruptions: pauses.length,
      lateFrames: late.length,
      load: Number(loadavg()[0]?.toFixed(1)),
      words: "a scripted conversation, without a log",
    },
    rows: [
      row("event loop, p99", "ms", { [OURS]: delay.percentile(99) / 1e6 }, { atMost: 20 }),
      row("latest frame", "ms", { [OURS]: Math.max(0, ...late) }, { atMost: 60 }),
      row(
        "end of turn to first audio, p50",
        "ms",
        { [OURS]: percentile(answers, 0.5) - END_SILENCE_MILLIS },
        { atMost: 120 },
      ),
      row("end of turn to first audio, p95", "ms", {
        [OURS]: percentile(answers, 0.95) - END_SILENCE_MILLIS,
      }),
      row(
        "customer's first sound to our pause, p95",
        "ms",
        { [OURS]: percentile(pauses, 0.95) },
        { atMost: 400 },
      ),
      row("processor time of a call-minute", "ms", { [OURS]: (cpu.user + cpu.system) / 1_000 / minutes }),
    ],
  };
}

async function openCall(url: string, conversations: Conversations): Promise<void> {
  const hangUp = () => undefined;
  const leg = await openMediaLeg({ url, clock: systemClock, logger: silentLogger, hangUp });
  if (leg === null) throw new Error("the far end did not open");
  await openAudioSession({
    leg,
    callId: "call_1",
    speech: { voice: quickVoice, ear: utteranceEar(async () => ({ text: "I see.", language: null })) },
    settings: {
      voice: null,
      language: null,
      endSilenceMillis: END_SILENCE_MILLIS,
      silenceTimeoutMillis: 60_000,
    },
    conversations,
    clock: systemClock,
    logger: silentLogger,
    metrics: silentMetrics,
  });
}

const spoken = new Map<string, Buffer>();

/** A server that answers at once: its sound is made beforehand, and brought to the line as that of a real one. */
const quickVoice: TextToSpeech = {
  async *speak({ text }) {
    const pcm = spoken.get(text) ?? pcm24kOf(speech((text.length * 1_000) / 15, -18));
    spoken.set(text, pcm);
    const resampler = createResampler(24_000);
    const samplesOf = createPcmReader();
    for (let at = 0; at < pcm.length; at += 16_384) {
      yield resampler.take(samplesOf(pcm.subarray(at, at + 16_384)));
      await new Promise(setImmediate);
    }
    yield resampler.rest();
  },
};

function talking(onTurn: () => void): Conversations {
  return {
    arrive: async ({ session }) => {
      let id = 0;
      const say = (text: string) => {
        id += 1;
        for (const token of text.split(/(?<= )/))
          session.say(id, token, false, { interruptible: true, language: null });
        session.say(id, "", true, { interruptible: true, language: null });
      };
      setImmediate(() => say(GREETING));
      const nothing = () => undefined;
      return {
        speechStarted: nothing,
        customerSaid: (text) => {
          if (text === "") return;
          onTurn();
          say(ANSWER);
        },
        heardWhole: nothing,
        cut: nothing,
        digit: nothing,
        silence: nothing,
        machineHeard: nothing,
        closed: nothing,
      };
    },
  };
}

function message(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", (code) => reject(new Error(`the far end ended with ${code}`)));
  });
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
