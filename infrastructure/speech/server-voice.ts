import type { MuLaw, TextToSpeech, Utterance } from "../../application/ports/speech.ts";
import { beginningOf } from "../../domain/shared/storable-text.ts";
import { requestHeaders } from "../connections/request-headers.ts";
import { type Patience, patienceOf } from "./patience.ts";
import { createPcmReader } from "./pcm.ts";
import { createResampler } from "./resampler.ts";
import { beforeSecondTry } from "./second-try.ts";
import { announcedRate, refuseFile, TELLING_BYTES } from "./sound-form.ts";
import { failureOf, failureOfStatus, garbage } from "./speech-failure.ts";
import type { SpeechServer } from "./speech-server.ts";

/** A voice without audio by then has broken the conversation already. */
const FIRST_SOUND_MILLIS = 4_000;
const STALL_MILLIS = 3_000;
/** Servers need a name; all of them know this one. */
const USUAL_VOICE = "alloy";
/** Requests are for single sentences. */
const LONGEST_TEXT = 4_096;

export type VoiceNames = { readonly model: string; readonly voice: string | null };

/**
 * `POST /audio/speech`: a stream of samples (24 kHz unless the server says otherwise), played while the rest
 * is being made.
 */
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
  const rate = announcedRate(answer.headers.get("content-type") ?? "");
  const chunks = answer.body?.[Symbol.asyncIterator]();
  const samplesOf = createPcmReader();
  const resampler = createResampler(rate);
  /** The first bytes, which tell samples from a file; null: they are judged. */
  let head: Uint8Array | null = new Uint8Array(0);
  let hasSound = false;
  for (;;) {
    const asked: Promise<IteratorResult<Uint8Array>> = chunks?.next() ?? Promise.resolve(OVER);
    const next: IteratorResult<Uint8Array> = hasSound
      ? await patience.within(STALL_MILLIS, "stalled", asked)
      : await patience.within(FIRST_SOUND_MILLIS, "late", asked);
    if (next.done === true) break;
    hasSound ||= next.value.length > 0;
    const bytes: Uint8Array = head === null ? next.value : Buffer.concat([head, next.value]);
    head = head !== null && bytes.length < TELLING_BYTES ? bytes : judged(head, bytes);
    if (head !== null) continue;
    const audio = resampler.take(samplesOf(bytes));
    if (audio.length > 0) yield audio;
  }
  if (!hasSound) throw garbage("The speech server sent no sound");
  if (head !== null) yield resampler.take(samplesOf(head));
  yield resampler.rest();
}

const OVER = { done: true, value: undefined } as const;

function judged(head: Uint8Array | null, bytes: Uint8Array): null {
  if (head !== null) refuseFile(bytes);
  return null;
}
