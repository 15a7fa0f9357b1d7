import type { Clock } from "../../../application/ports/clock.ts";
import type { AudioLeg, AudioListener } from "../../../application/voice/audio/audio-leg.ts";
import { createFarEnd, type FarEnd } from "./far-end.ts";
import { silence } from "./sounds.ts";

export type LineLeg = {
  readonly leg: AudioLeg;
  readonly far: FarEnd;
  /** Every frame that the customer heard since the beginning, also silence. */
  readonly heard: readonly Uint8Array[];
  /** What the customer says from now on, in frames; silence behind it. */
  speak(sound: Uint8Array): void;
  digit(digit: string): void;
  close(cause: "hung_up" | "session_lost"): void;
  readonly hungUp: () => boolean;
  /** When the line was told to pause, to go on, to drop what it has. */
  readonly told: { readonly what: "pause" | "resume" | "flush"; readonly at: number }[];
};

const FRAME_MILLIS = 20;
const SILENT_FRAME = silence(FRAME_MILLIS);

type LineOptions = {
  /** Every frame that is played to the customer; null: silence. */
  readonly onFrame?: (played: Uint8Array | null) => void;
  /** Between a wish of ours and its answer. */
  readonly flushMillis?: number;
  readonly keepsHeard?: boolean;
};

/** A telephone line on a clock: a frame each way every 20 ms. */
export function createLineLeg(
  clock: Pick<Clock, "monotonicMillis" | "sleep">,
  options: LineOptions = {},
): LineLeg {
  const { onFrame = () => undefined, flushMillis = 0, keepsHeard = true } = options;
  const far = createFarEnd();
  const heard: Uint8Array[] = [];
  const told: LineLeg["told"] = [];
  let speaking: Uint8Array[] = [];
  let listener: AudioListener | null = null;
  let over = false;
  const note = (what: "pause" | "resume" | "flush") => told.push({ what, at: clock.monotonicMillis() });
  const run = async () => {
    let due = clock.monotonicMillis();
    while (!over) {
      due += FRAME_MILLIS;
      await clock.sleep(Math.max(0, due - clock.monotonicMillis()));
      if (over) return;
      const { played, marks } = far.tick();
      if (keepsHeard) heard.push(played ?? SILENT_FRAME);
      onFrame(played);
      for (const mark of marks) listener?.played(mark);
      if (!over) listener?.audio(speaking.shift() ?? SILENT_FRAME);
    }
  };
  void run();
  far.buffering(true);
  return {
    far,
    heard,
    told,
    hungUp: () => over,
    speak: (sound) => {
      speaking = [];
      for (let at = 0; at + 160 <= sound.length; at += 160) speaking.push(sound.subarray(at, at + 160));
    },
    digit: (digit) => listener?.digit(digit),
    close: (cause) => {
      over = true;
      listener?.closed(cause);
    },
    leg: {
      send: far.audio,
      mark: far.mark,
      flush: async () => {
        note("flush");
        const millis = far.queued() * FRAME_MILLIS;
        far.flush();
        far.pause(false);
        far.buffering(true);
        if (flushMillis > 0) await clock.sleep(flushMillis);
        return millis;
      },
      pause: () => {
        note("pause");
        far.pause(true);
      },
      resume: () => {
        note("resume");
        far.pause(false);
      },
      hangUp: () => {
        over = true;
      },
      listen: (next) => {
        listener = next;
      },
    },
  };
}
