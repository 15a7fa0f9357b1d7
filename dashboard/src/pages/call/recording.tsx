import type { CallRecord } from "../../../../contract/call.ts";
import { Muted } from "../../records/records.tsx";
import { useTexts } from "../../texts/language.tsx";
import { TEXTS } from "./texts.ts";
import styles from "./transcript.module.css";

const PLAYER = "recording";

/** Plays from a message, in milliseconds from the answer. */
export function playFrom(offsetMs: number): void {
  const player = document.getElementById(PLAYER);
  if (!(player instanceof HTMLAudioElement)) return;
  const seconds = offsetMs / 1_000;
  // Before the length is known Chromium drops a position, and by the event that says the length it may play
  // from the start already: the address names the position.
  if (player.readyState >= HTMLMediaElement.HAVE_METADATA) player.currentTime = seconds;
  else player.src = `${player.src.replace(/#.*/, "")}#t=${seconds}`;
  void player.play().catch(() => undefined);
}

export function Recording({ call: { id, recordingStatus } }: { readonly call: CallRecord }) {
  const say = useTexts(TEXTS);
  const url = `/api/v1/calls/${id}/recording`;
  if (recordingStatus !== "available")
    return (
      <p className={styles.recording}>
        <Muted>{say(`recording.${recordingStatus}`)}</Muted>
      </p>
    );
  return (
    <div className={styles.recording}>
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript stands below */}
      <audio id={PLAYER} controls preload="none" src={url} aria-label={say("recording")} />
      <a href={url} download={`${id}.wav`}>
        {say("recording.load")}
      </a>
    </div>
  );
}
