import type { Speech } from "../../../../application/ports/speech.ts";
import type { AudioLeg } from "../../../../application/voice/audio/audio-leg.ts";
import type { AudioSettings } from "../../../../application/voice/audio/audio-settings.ts";
import { openAudioSession } from "../../../../application/voice/audio/open-audio-session.ts";
import type { CallId } from "../../../../domain/shared/ids.ts";
import type { CallSpeaker, OpenAsteriskOptions } from "../../open-carrier-options.ts";
import type { AriClient } from "../ari/ari-client.ts";
import { openMediaLeg } from "../media/media-leg.ts";
import type { TalkDeps } from "./talks.ts";

export type TalkingDeps = OpenAsteriskOptions & {
  readonly speech: Speech | null;
  readonly ari: AriClient;
  readonly app: string;
  readonly hangUp: (callId: CallId) => void;
};

const SILENT: AudioSettings = {
  language: null,
  endSilenceMillis: 500,
  silenceTimeoutMillis: 8_000,
};

/**
 * The audio of our channels and their conversations. The audio settings are those of the speaker at the
 * beginning of the session.
 */
export function talkOf(deps: TalkingDeps): TalkDeps {
  const { ari, app, clock, logger, hangUp } = deps;
  const root = deps.settings.url.replace(/\/+$/, "").replace(/^http/, "ws");
  const guard = { policy: deps.egress.policy, resolve: deps.egress.resolve, ca: undefined };
  return {
    ari,
    app,
    logger,
    hangUp,
    sleep: (millis) => clock.sleep(millis),
    openLeg: (path, endCall) =>
      openMediaLeg({ url: `${root}${path}`, clock, logger, guard, hangUp: endCall }),
    converse: async (callId: CallId, leg: AudioLeg) => {
      const { speech } = deps;
      if (speech === null) return "refused";
      const settings = settingsOf(await deps.speakerOf(callId));
      return openAudioSession({ ...deps, speech, callId, leg, settings });
    },
  };
}

function settingsOf(speaker: CallSpeaker | null): AudioSettings {
  if (speaker === null) return SILENT;
  return {
    language: speaker.language,
    endSilenceMillis: speaker.endSilenceMs,
    silenceTimeoutMillis: speaker.silenceTimeoutSeconds * 1_000,
  };
}
