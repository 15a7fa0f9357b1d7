import { type ChildProcess, spawn } from "node:child_process";
import type { MuLaw, TextToSpeech, Utterance } from "../../application/ports/speech.ts";
import { beginningOf } from "../../domain/shared/storable-text.ts";
import { createPcmReader, wavHeader } from "./pcm.ts";
import { createResampler } from "./resampler.ts";
import { garbage, SpeechFailure } from "./speech-failure.ts";

export type EspeakOptions = {
  /** Path of the program. */
  readonly program: string;
  /** PATH for programs that it starts. */
  readonly path: string;
  /** For assistants that name none; null: by language. */
  readonly voice: string | null;
};

/** It needs a tenth of a second for a sentence. */
const LONGEST_MILLIS = 5_000;
/** Two minutes at its 22 kHz. */
const LONGEST_BYTES = 5_300_000;
const LONGEST_TEXT = 4_096;
/** The most processes at once; further sentences wait. */
const AT_ONCE = 8;
const HEADER_BYTES = 44;
const USUAL_VOICE = "en";

/** The program espeak-ng, if the operator has installed it: one short-lived process for each sentence. */
export function espeakVoice(options: EspeakOptions): TextToSpeech {
  const limiter = createLimiter(AT_ONCE);
  return {
    speak: async function* (utterance, signal) {
      yield* resampled(await limiter.run(() => sentence(options, utterance, signal)));
    },
  };
}

async function sentence(
  options: EspeakOptions,
  utterance: Utterance,
  signal: AbortSignal,
): Promise<Uint8Array> {
  for (const voice of voicesFor(options, utterance)) {
    const sound = await spoken(options, voice, utterance.text, signal);
    if (sound !== null) return sound;
  }
  throw new SpeechFailure("refused", "espeak-ng has no voice for this");
}

/** From the requested voice to one that it certainly has. */
function voicesFor({ voice }: EspeakOptions, utterance: Utterance): readonly string[] {
  const language = utterance.language?.toLowerCase() ?? null;
  const wished = [utterance.voice ?? voice, language, language?.split("-")[0] ?? null, USUAL_VOICE];
  return [
    ...new Set(wished.filter((name) => name !== null && /^[a-z][a-z0-9+-]{1,39}$/i.test(name))),
  ] as string[];
}

/**
 * null: it does not know the voice. The text is passed by standard input, so that it cannot become an option.
 */
async function spoken(
  { program, path }: EspeakOptions,
  voice: string,
  text: string,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  if (signal.aborted) throw new SpeechFailure("aborted", "It is no longer wanted");
  const child = spawn(program, ["-v", voice, "-b", "1", "--stdin", "--stdout"], {
    stdio: ["pipe", "pipe", "ignore"],
    env: { PATH: path },
    signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MILLIS)]),
    killSignal: "SIGKILL",
  });
  const ended = exitOf(child);
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(plain(text));
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of child.stdout ?? []) {
    bytes += part.length;
    if (bytes > LONGEST_BYTES) child.kill("SIGKILL");
    else parts.push(part);
  }
  const code = await ended;
  if (signal.aborted) throw new SpeechFailure("aborted", "It is no longer wanted");
  if (code === null) throw new SpeechFailure("late", "espeak-ng did not end, or was ended");
  return code === 0 ? Buffer.concat(parts) : null;
}

/** null: it was killed, or could not be started. */
function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.on("error", () => resolve(null));
    child.on("close", (code) => resolve(code));
  });
}

/** It interprets markup, and phonemes in brackets; a customer's text has neither. */
function plain(text: string): string {
  return beginningOf(text, LONGEST_TEXT).replaceAll(/[\p{Cc}[\]<>]/gu, " ");
}

function* resampled(wav: Uint8Array): Generator<MuLaw> {
  const header = wavHeader(wav);
  if (header === null || header.rate < 8_000 || header.rate > 48_000 || wav.length <= HEADER_BYTES)
    throw garbage("espeak-ng did not write a WAV of 16 bits and one channel");
  const resampler = createResampler(header.rate);
  yield resampler.take(createPcmReader()(wav.subarray(header.from)));
  yield resampler.rest();
}

interface Limiter {
  /** Runs the work once fewer than the limit are running, in the order of calls. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

function createLimiter(limit: number): Limiter {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      if (running < limit) running += 1;
      // takes over the place of the one that ends
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
