import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import type { Clock } from "../../application/ports/clock.ts";
import type { Logger } from "../../application/ports/logger.ts";
import type { Metrics } from "../../application/ports/metrics.ts";
import type { Speech, TextToSpeech } from "../../application/ports/speech.ts";
import type { SpeechConfig } from "../config.ts";
import type { Egress } from "../connections/egress.ts";
import { espeakVoice } from "./espeak-voice.ts";
import { serverEar } from "./server-ear.ts";
import { serverVoice } from "./server-voice.ts";
import type { SpeechServer } from "./speech-server.ts";

export type OpenSpeechDeps = {
  readonly egress: Pick<Egress, "ofInstallation">;
  readonly clock: Pick<Clock, "sleep">;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, "count">;
  /** PATH in which programs are looked for. */
  readonly path: string | undefined;
};

/**
 * The speech engines of this installation, for carriers with audio; null: none can speak, so that such calls
 * are impossible. Logs which there are.
 */
export async function openSpeech(config: SpeechConfig, deps: OpenSpeechDeps): Promise<Speech | null> {
  const { logger, egress, clock, metrics } = deps;
  const server: SpeechServer | null =
    config.server === null ? null : { ...config.server, fetch: egress.ofInstallation.fetch, clock, metrics };
  const program = await installedProgram("espeak-ng", deps.path);
  const espeak =
    program === null ? null : espeakVoice({ program, path: deps.path ?? "", voice: espeakName(config) });
  const served =
    server === null || config.voiceModel === null
      ? null
      : serverVoice(server, { model: config.voiceModel, voice: config.voice });
  const ear = server === null || config.earModel === null ? null : serverEar(server, config.earModel);
  const voice = voiceOf(served, espeak);
  const speaks = [
    served === null ? [] : [`model ${config.voiceModel}`],
    espeak === null ? [] : ["espeak-ng"],
  ];
  logger.info(
    { voice: speaks.flat().join(", then ") || "none", ear: config.earModel ?? "digits only" },
    voice === null
      ? "audio lines: nothing can speak; set SPEECH_BASE_URL and SPEECH_TTS_MODEL, or install espeak-ng"
      : "audio lines: speech",
  );
  return voice === null ? null : { voice, ear };
}

function voiceOf(served: TextToSpeech | null, espeak: TextToSpeech | null): TextToSpeech | null {
  if (served !== null && espeak !== null) return withFallback(served, espeak);
  return served ?? espeak;
}

/** With a server the voice name is one of the server's. */
function espeakName({ server, voiceModel, voice }: SpeechConfig): string | null {
  return server === null || voiceModel === null ? voice : null;
}

/** If the first voice fails, the second one speaks, unless audio of the first is on the line already. */
export function withFallback(first: TextToSpeech, second: TextToSpeech): TextToSpeech {
  return {
    async *speak(utterance, signal) {
      let begun = false;
      try {
        for await (const audio of first.speak(utterance, signal)) {
          begun ||= audio.length > 0;
          yield audio;
        }
      } catch (error) {
        if (begun || signal.aborted) throw error;
        yield* second.speak({ ...utterance, voice: null }, signal);
      }
    },
  };
}

/** Path of a program on this PATH; null: it is not installed. */
async function installedProgram(name: string, path: string | undefined): Promise<string | null> {
  const folders = (path ?? "").split(delimiter).filter(isAbsolute);
  for (const folder of folders) {
    const file = join(folder, name);
    try {
      await access(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}
