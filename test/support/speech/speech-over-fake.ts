import type { SpeechToText, TextToSpeech } from "../../../application/ports/speech.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { addressPolicy } from "../../../infrastructure/http/address-guard.ts";
import { guardedFetch } from "../../../infrastructure/http/guarded-fetch.ts";
import { serverEar } from "../../../infrastructure/speech/server-ear.ts";
import { serverVoice } from "../../../infrastructure/speech/server-voice.ts";
import { silentMetrics } from "../../../simulation/memory/silent.ts";
import {
  type AskedSpeech,
  type FakeSpeechServer,
  fakeSpeechServer,
  type SpeechAnswer,
} from "./fake-speech-server.ts";

export type SpeechOverFake = {
  readonly voice: TextToSpeech;
  readonly ear: SpeechToText;
  readonly server: FakeSpeechServer;
  /** Engine and outcome of each request. */
  readonly counted: () => readonly string[];
  close(): Promise<void>;
};

export const KEY = "sk-secret-of-the-test";
const LIMITS = {
  connectMillis: 60_000,
  answerHeaderBytes: 16 * 1024,
  answerBytes: 2 * 1024 * 1024,
  keepAliveMillis: 30_000,
};

/** The adapters over real HTTP. */
export async function speechOverFake(
  answer: (asked: AskedSpeech, count: number) => SpeechAnswer,
): Promise<SpeechOverFake> {
  const server = await fakeSpeechServer(answer);
  const resolve = () => Promise.reject(new Error("no names here"));
  const way = guardedFetch({ policy: addressPolicy(["127.0.0.0/8"]), resolve, ca: undefined }, LIMITS);
  const counted: string[] = [];
  const metrics = {
    ...silentMetrics,
    count: (_name: string, labels: Readonly<Record<string, string>>) =>
      void counted.push(`${labels["engine"]} ${labels["outcome"]}`),
  };
  const deps = { baseUrl: server.url, apiKey: KEY, fetch: way.fetch, clock: systemClock, metrics };
  return {
    voice: serverVoice(deps, { model: "tts-1", voice: null }),
    ear: serverEar(deps, "whisper-1"),
    server,
    counted: () => counted,
    close: async () => {
      await way.close();
      await server.close();
    },
  };
}
