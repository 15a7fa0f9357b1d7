import type { Call } from "../../records/call.ts";
import { Muted } from "../../records/records.tsx";
import { useTexts } from "../../texts/language.tsx";
import { Panel } from "../../ui/controls.tsx";
import { TEXTS } from "./texts.ts";

const PLAYER = "recording";

/** Plays from a message, in milliseconds from the answer. */
export function playFrom(offsetMs: number): void {
  const player = document.getElementById(PLAYER);
  if (!(player instanceof HTMLAudioElement)) return;
  const seek = () => {
    player.currentTime = offsetMs / 1_000;
  };
  // Chromium drops a position that is set before it knows the length.
  if (player.readyState >= HTMLMediaElement.HAVE_METADATA) seek();
  else player.addEventListener("loadedmetadata", seek, { once: true });
  void player.play().catch(() => undefined);
}

export function Recording({ call: { id, recordingStatus } }: { readonly call: Call }) {
  const say = useTexts(TEXTS);
  const url = `/api/v1/calls/${id}/recording`;
  return (
    <Panel title={say("recording")}>
      {recordingStatus === "available" ? (
        <div style={{ display: "grid", gap: 10 }}>
          {/* biome-ignore lint/a11y/useMediaCaption: the transcript stands below */}
          <audio
            id={PLAYER}
            controls
            preload="none"
            src={url}
            style={{ width: "100%" }}
            aria-label={say("recording")}
          />
          <a href={url} download={`${id}.wav`}>
            {say("recording.load")}
          </a>
        </div>
      ) : (
        <Muted>{say(`recording.${recordingStatus}`)}</Muted>
      )}
    </Panel>
  );
}
