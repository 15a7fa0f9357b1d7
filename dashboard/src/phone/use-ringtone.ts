import { useEffect } from "react";

const EVERY_MILLIS = 3_000;
const TONE_SECONDS = 0.9;
const HERTZ = [440, 480] as const;

/** Rings softly, and in the title of the page; a browser that needs a click first stays silent. */
export function useRingtone(isRinging: boolean): void {
  useEffect(() => {
    if (!isRinging) return;
    const title = document.title;
    const audio = new AudioContext();
    const ring = () => {
      document.title = `☎ ${title}`;
      if (audio.state === "running") tone(audio);
    };
    ring();
    const timer = setInterval(ring, EVERY_MILLIS);
    return () => {
      clearInterval(timer);
      document.title = title;
      void audio.close();
    };
  }, [isRinging]);
}

function tone(audio: AudioContext): void {
  const volume = audio.createGain();
  volume.gain.value = 0.04;
  volume.connect(audio.destination);
  for (const hertz of HERTZ) {
    const oscillator = audio.createOscillator();
    oscillator.frequency.value = hertz;
    oscillator.connect(volume);
    oscillator.start();
    oscillator.stop(audio.currentTime + TONE_SECONDS);
  }
}
