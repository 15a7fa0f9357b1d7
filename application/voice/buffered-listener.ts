import type { SessionListener } from "../ports/voice-session.ts";

type Telling = (listener: SessionListener) => void;

/** Keeps the events of a session until there is a listener. After `closed` nothing more is reported. */
export interface BufferedListener {
  tell(telling: Telling): void;
  listen(listener: SessionListener): void;
}

/** The most events kept, in case a listener never comes. */
const MOST_KEPT = 500;

export function createBufferedListener(): BufferedListener {
  let listener: SessionListener | null = null;
  const kept: Telling[] = [];
  return {
    tell: (telling) => {
      if (listener !== null) telling(listener);
      else if (kept.length < MOST_KEPT) kept.push(telling);
    },
    listen: (next) => {
      listener = next;
      for (const telling of kept.splice(0)) telling(next);
    },
  };
}
