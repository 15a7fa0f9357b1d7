import type { MuLaw, TextToSpeech, Utterance } from "../../application/ports/speech.ts";
import { beginningOf } from "../../domain/shared/storable-text.ts";
import { requestHeaders } from "../connections/request-headers.ts";
import { type Patience, patienceOf } from "./patience.ts";
import { createPcmReader } from "./pcm.ts";
import { createResampler } from "./resampler.ts";
import { beforeSecondTry } from "./second-try.ts";
import { failureOf, failureOfStatus, garbage } from "./speech-failure.ts";
import type { SpeechServer } from "./speech-server.ts";

/** Sample rate of response_format pcm. */
const RATE = 24_000;
/** A voice without audio by then has broken the conversation already. */
const FIRST_SOUND_MILLIS = 4_000;
const STALL_MILLIS = 3_000;
/** Servers need a name; all of them know this one. */
const USUAL_VOICE = "alloy";
/** Requests are for single sentences. */
const LONGEST_TEXT = 4_096;

export type VoiceNames = { readonly model: string; readonly voice: string | null };

/** `POST /audio/speech`: a stream of 24 kHz samples, played while the rest is being made. */
export function serverVoice(server: SpeechServer, names: VoiceNames): TextToSpeech {
  return { speak: (utterance, signal) => speak(server, names, utterance, signal) };
}

async function* speak(
  server: SpeechServer,
  names: VoiceNames,
  utterance: Utterance,
  signal: AbortSignal,
): AsyncGenerator<MuLaw> {
  const count = (outcome: string) =>
    server.metrics.count("ringfold_speech_requests_total", { engine: "voice", outcome });
  let begun = false;
  for (let tries = 1; ; tries += 1) {
    try {
      for await (const audio of once(server, names, utterance, signal)) {
        begun = true;
        yield audio;
      }
      return count(tries === 1 ? "ok" : "retried");
    } catch (error) {
      try {
        const failure = failureOf(error, signal);
        if (begun || tries > 1) throw failure;
        await beforeSecondTry(server.clock, failure, signal);
      } catch (last) {
        count(signal.aborted ? "aborted" : "failed");
        throw last;
      }
    }
  }
}

async function* once(
  server: SpeechServer,
  { model, voice }: VoiceNames,
  { text, voice: own }: Utterance,
  signal: AbortSignal,
): AsyncGenerator<MuLaw> {
  const patience = patienceOf(signal);
  const body = JSON.stringify({
    model,
    input: beginningOf(text, LONGEST_TEXT),
    voice: own ?? voice ?? USUAL_VOICE,
    response_format: "pcm",
  });
  const headers = {
    ...requestHeaders(server.apiKey, "application/octet-stream"),
    "content-type": "application/json",
  };
  try {
    const url = `${server.baseUrl}/audio/speech`;
    const asked = server.fetch(url, { method: "POST", headers, body, signal: patience.signal });
    yield* soundOf(await patience.within(FIRST_SOUND_MILLIS, "late", asked), patience);
  } finally {
    patience.end();
  }
}

async function* soundOf(answer: Response, patience: Patience): AsyncGenerator<MuLaw> {
  if (answer.status !== 200) throw failureOfStatus(answer.status, answer.headers.get("retry-after"));
  const type = answer.headers.get("content-type") ?? "";
  if (/json|html|text|mpeg|mp3|ogg|opus|wav|flac/i.test(type))
    throw garbage("The speech server did not answer with samples (response_format pcm)");
  const chunks = answer.body?.[Symbol.asyncIterator]();
  const samplesOf = createPcmReader();
  const resampler = createResampler(RATE);
  let bytes = 0;
  for (;;) {
    const [millis, kind] =
      bytes === 0 ? ([FIRST_SOUND_MILLIS, "late"] as const) : ([STALL_MILLIS, "stalled"] as const);
    const next = await patience.within(millis, kind, chunks?.next() ?? Promise.resolve(OVER));
    if (next.done === true) break;
    if (bytes === 0 && isFile(next.value)) throw garbage("The speech server sent a file in place of samples");
    bytes += next.value.length;
    const audio = resampler.take(samplesOf(next.value));
    if (audio.length > 0) yield audio;
  }
  if (bytes === 0) throw garbage("The speech server sent no sound");
  yield resampler.rest();
}

const OVER = { done: true, value: undefined } as const;

/** Some servers have no pcm, and send another format without saying so. */
function isFile(first: Uint8Array): boolean {
  const letters = Buffer.from(first.subarray(0, 4)).toString("latin1");
  return ["RIFF", "OggS", "fLaC", "ID3\u0003", "ID3\u0004"].includes(letters) || letters.startsWith("{");
}
