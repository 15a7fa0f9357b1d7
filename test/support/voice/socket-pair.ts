import type { TextSocket } from "../../../application/ports/entrances.ts";

type End = TextSocket & { readonly closedWith: () => number | null };

/** Two ends of a socket inside this process. What is sent arrives in the next microtask, in order. */
export function socketPair(): { readonly near: End; readonly far: End } {
  const near = createEnd();
  const far = createEnd();
  near.joinTo(far);
  far.joinTo(near);
  return { near, far };
}

type JoinedEnd = End & {
  joinTo(other: JoinedEnd): void;
  take(text: string): void;
  takeClose(code: number): void;
};

function createEnd(): JoinedEnd {
  let other: JoinedEnd | null = null;
  let closed: number | null = null;
  let onText: (text: string) => void = () => undefined;
  let onClose: (code: number) => void = () => undefined;
  const end: JoinedEnd = {
    joinTo: (joined) => {
      other = joined;
    },
    take: (text) => {
      if (closed === null) onText(text);
    },
    takeClose: (code) => {
      if (closed !== null) return;
      closed = code;
      onClose(code);
    },
    send: (text) => {
      if (closed === null) queueMicrotask(() => other?.take(text));
    },
    waiting: () => 0,
    close: (code) => {
      if (closed !== null) return;
      closed = code;
      queueMicrotask(() => other?.takeClose(code));
      queueMicrotask(() => onClose(code));
    },
    onText: (listener) => {
      onText = listener;
    },
    onClose: (listener) => {
      onClose = listener;
    },
    closedWith: () => closed,
  };
  return end;
}
