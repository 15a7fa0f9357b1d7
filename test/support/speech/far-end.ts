const FRAME_BYTES = 160;
const XOFF_FRAMES = 900;
const XON_FRAMES = 800;
const MOST_FRAMES = 1_000;

type Item = { readonly frame: Uint8Array } | { readonly mark: string };

/** What one tick of 20 ms brings. */
export type Tick = {
  /** null: nothing was queued, or it is paused; silence is played. */
  readonly played: Uint8Array | null;
  readonly marks: readonly string[];
  readonly flow: "off" | "on" | null;
};

/**
 * The playing side of a telephone line, as chan_websocket is: a queue of frames with marks in it,
 * one frame every tick.
 */
export type FarEnd = {
  audio(audio: Uint8Array): void;
  mark(id: string): void;
  buffering(on: boolean): void;
  /** Drops what is queued. */
  flush(): void;
  pause(isPaused: boolean): void;
  queued(): number;
  /** Frames that came when the queue was full. */
  dropped(): number;
  tick(): Tick;
};

export function createFarEnd(): FarEnd {
  let items: Item[] = [];
  let frames = 0;
  let dropped = 0;
  let paused = false;
  let full = false;
  let buffers = false;
  let left = new Uint8Array(0);
  const add = (frame: Uint8Array) => {
    items.push({ frame });
    frames += 1;
  };
  return {
    audio: (audio) => {
      if (frames >= MOST_FRAMES) {
        dropped += Math.ceil(audio.length / FRAME_BYTES);
        return;
      }
      const all = Uint8Array.from([...left, ...audio]);
      const whole = all.length - (all.length % FRAME_BYTES);
      for (let at = 0; at < whole; at += FRAME_BYTES) add(all.subarray(at, at + FRAME_BYTES));
      left = buffers ? all.slice(whole) : new Uint8Array(0);
    },
    buffering: (on) => {
      buffers = on;
      if (!on && left.length > 0) add(left);
      left = new Uint8Array(0);
    },
    mark: (mark) => void items.push({ mark }),
    flush: () => {
      items = [];
      frames = 0;
      buffers = false;
      left = new Uint8Array(0);
    },
    pause: (isPaused) => {
      paused = isPaused;
    },
    queued: () => frames,
    dropped: () => dropped,
    tick: () => {
      const flow = !full && frames >= XOFF_FRAMES ? "off" : full && frames < XON_FRAMES ? "on" : null;
      if (flow !== null) full = flow === "off";
      if (paused) return { played: null, marks: [], flow };
      const marks: string[] = [];
      for (let next = items.shift(); next !== undefined; next = items.shift()) {
        if ("mark" in next) {
          marks.push(next.mark);
          continue;
        }
        frames -= 1;
        return { played: next.frame, marks, flow };
      }
      return { played: null, marks, flow };
    },
  };
}
