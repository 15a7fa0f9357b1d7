import { loadavg } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import process from "node:process";
import type { Conversations } from "../../application/ports/voice-session.ts";
import { openAudioSession } from "../../application/voice/audio/open-audio-session.ts";
import { openMediaLeg } from "../../infrastructure/carriers/asterisk/media/media-leg.ts";
import { systemClock } from "../../infrastructure/clock.ts";
import { addressPolicy } from "../../infrastructure/http/address-guard.ts";
import { utteranceEar } from "../../infrastructure/speech/utterance-ear.ts";
import { silentLogger, silentMetrics } from "../../simulation/memory/silent.ts";
import type { FarEndFigures } from "../audio-far-end.ts";
import type { Benchmark, Result } from "../benchmark.ts";
import { percentile } from "../load.ts";
import { OURS, row } from "../rows.ts";
import { nextMessage, quickVoice, startFarEnd, talking } from "../talking-calls.ts";

const COUNT = Number(process.env["AUDIO_COUNT"] ?? 50);
const SECONDS = Number(process.env["AUDIO_SECONDS"] ?? 40);
const END_SILENCE_MILLIS = 500;
/**
 * Live audio calls in one process: the other sides play in real time in another process, as Asterisk does,
 * and talk, wait and interrupt.
 */
export const benchmark: Benchmark = { name: "audio", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const far = startFarEnd("audio-far-end.ts");
  const url = String(await nextMessage(far));
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
  const { late, answers, pauses } = (await nextMessage(far)) as FarEndFigures;
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

/** The far ends are in the process beside this one. */
const LOOPBACK = { policy: addressPolicy(["127.0.0.0/8"]), resolve: async () => [], ca: undefined };

async function openCall(url: string, conversations: Conversations): Promise<void> {
  const hangUp = () => undefined;
  const leg = await openMediaLeg({ url, clock: systemClock, logger: silentLogger, guard: LOOPBACK, hangUp });
  if (leg === null) throw new Error("the far end did not open");
  await openAudioSession({
    leg,
    callId: "call_1",
    speech: { voice: quickVoice, ear: utteranceEar(async () => ({ text: "I see.", language: null })) },
    settings: {
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
