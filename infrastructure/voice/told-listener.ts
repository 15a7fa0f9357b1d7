import type { SessionListener } from "../../application/ports/voice-session.ts";

type Telling = (listener: SessionListener) => void;

/** Keeps what a session tells until somebody listens. After `closed` nothing is told any more. */
export interface ToldListener {
  tell(telling: Telling): void;
  listen(listener: SessionListener): void;
}

/** More than this is kept for nobody: the session was given to somebody who never listened. */
const MOST_KEPT = 500;

export function createToldListener(): ToldListener {
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
