import { z } from "zod";
import type { MuLaw, SpeechToText } from "../../application/ports/speech.ts";
import { storableText } from "../../domain/shared/storable-text.ts";
import { requestHeaders } from "../connections/request-headers.ts";
import { patienceOf } from "./patience.ts";
import { wavOf } from "./pcm.ts";
import { beforeSecondTry } from "./second-try.ts";
import { failureOf, failureOfStatus, garbage, SpeechFailure } from "./speech-failure.ts";
import type { SpeechServer } from "./speech-server.ts";
import { type Transcript, utteranceEar } from "./utterance-ear.ts";

/** Timeout for head and text of an answer; both tries together take hardly longer than a caller waits. */
const ANSWER_MILLIS = 4_000;
const LONGEST_ANSWER_BYTES = 65_536;

const transcription = z.object({ text: z.string(), language: z.string().max(35).nullish() });

/** `POST /audio/transcriptions`, one request for each utterance. */
export function serverEar(server: SpeechServer, model: string): SpeechToText {
  return utteranceEar((audio, language, signal) => transcribe(server, model, audio, language, signal));
}

async function transcribe(
  server: SpeechServer,
  model: string,
  audio: MuLaw,
  language: string | null,
  signal: AbortSignal,
): Promise<Transcript> {
  const count = (outcome: string) =>
    server.metrics.count("ringfold_speech_requests_total", { engine: "recogniser", outcome });
  const form = await formOf(model, audio, language);
  const ask = async () => {
    try {
      return await once(server, form, signal);
    } catch (error) {
      throw failureOf(error, signal);
    }
  };
  try {
    const transcript = await ask();
    count("ok");
    return transcript;
  } catch (first) {
    try {
      if (!(first instanceof SpeechFailure)) throw first;
      await beforeSecondTry(server.clock, first, signal);
      const transcript = await ask();
      count("retried");
      return transcript;
    } catch (error) {
      count(signal.aborted ? "aborted" : "failed");
      throw error;
    }
  }
}

type Form = { readonly type: string; readonly body: Uint8Array };

/** `language`: ISO 639-1, as the servers expect it. */
async function formOf(model: string, audio: MuLaw, language: string | null): Promise<Form> {
  const form = new FormData();
  form.set("model", model);
  form.set("response_format", "json");
  const [spoken] = language?.toLowerCase().split("-") ?? [];
  if (spoken !== undefined && /^[a-z]{2}$/.test(spoken)) form.set("language", spoken);
  form.set("file", new Blob([Uint8Array.from(wavOf(audio))], { type: "audio/wav" }), "utterance.wav");
  const encoded = new Response(form);
  return {
    type: encoded.headers.get("content-type") ?? "",
    body: new Uint8Array(await encoded.arrayBuffer()),
  };
}

async function once(
  { baseUrl, apiKey, fetch }: SpeechServer,
  { type, body }: Form,
  signal: AbortSignal,
): Promise<Transcript> {
  const patience = patienceOf(signal);
  const headers = { ...requestHeaders(apiKey, "application/json"), "content-type": type };
  const read = async () => {
    const answer = await fetch(`${baseUrl}/audio/transcriptions`, {
      method: "POST",
      headers,
      body,
      signal: patience.signal,
    });
    if (answer.status !== 200) throw failureOfStatus(answer.status, answer.headers.get("retry-after"));
    return transcriptOf(await textOf(answer));
  };
  try {
    return await patience.within(ANSWER_MILLIS, "late", read());
  } finally {
    patience.end();
  }
}

async function textOf(answer: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    bytes += part.length;
    if (bytes > LONGEST_ANSWER_BYTES) throw garbage();
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function transcriptOf(text: string): Transcript {
  const parsed = transcription.safeParse(JSON.parse(text));
  if (!parsed.success) throw garbage();
  const { text: said, language } = parsed.data;
  return { text: storableText(said), language: isTag(language ?? "") ? (language ?? null) : null };
}

/** Some servers return names of languages ("english"). */
function isTag(language: string): boolean {
  return /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(language);
}
