import type { Clock } from "../application/ports/clock.ts";
import type { OwnerId } from "../domain/shared/ids.ts";

/** Why the service ends an event stream; sent to the follower. */
export type StreamEndReason = "stopping" | "key_revoked" | "key_expired" | "owner_inactive" | "session_ended";

/** The owner of a stream, and the key or session that opened it; null session: the key itself. */
export type StreamHolder = {
  readonly owner: OwnerId;
  readonly keyId: string;
  readonly sessionId: string | null;
};

export type OpenStream = {
  /** Aborts when the service ends the stream. */
  readonly ended: AbortSignal;
  /** null until it is ended. */
  readonly endReason: () => StreamEndReason | null;
  /** The stream is over. A repeat does nothing. */
  readonly leave: () => void;
};

/** The event streams that are open in this process. */
export type OpenStreams = {
  /** `cut` destroys the connection of a reader that does not read the end of its stream. */
  readonly open: (holder: StreamHolder, cut: () => void) => OpenStream;
  /** Keys with open streams. */
  readonly keyIds: () => readonly string[];
  /** Sessions with open streams. */
  readonly sessionIds: () => readonly string[];
  /**
   * Ends the streams that `which` selects: each is told the reason, and cut if that takes
   * more than half a second.
   */
  readonly end: (which: (holder: StreamHolder) => boolean, reason: StreamEndReason) => void;
  /** Ends all, and each that is opened later. */
  readonly endAll: (reason: StreamEndReason) => void;
};

const READER_MAY_TAKE_MILLIS = 500;

type Entry = StreamHolder & { readonly end: (reason: StreamEndReason) => void };

export function createOpenStreams(clock: Pick<Clock, "sleep">): OpenStreams {
  const entries = new Set<Entry>();
  let endedForAll: StreamEndReason | null = null;

  const end = (which: (holder: StreamHolder) => boolean, reason: StreamEndReason) => {
    for (const entry of entries) if (which(entry)) entry.end(reason);
  };

  return {
    open: (holder, cut) => {
      const ended = new AbortController();
      let endReason: StreamEndReason | null = null;
      const entry: Entry = {
        ...holder,
        end: (reason) => {
          if (endReason !== null) return;
          endReason = reason;
          ended.abort(reason);
          void clock.sleep(READER_MAY_TAKE_MILLIS).then(() => entries.has(entry) && cut());
        },
      };
      entries.add(entry);
      if (endedForAll !== null) entry.end(endedForAll);
      return { ended: ended.signal, endReason: () => endReason, leave: () => void entries.delete(entry) };
    },
    keyIds: () => [...new Set([...entries].map(({ keyId }) => keyId))],
    sessionIds: () => [...new Set([...entries].flatMap(({ sessionId }) => sessionId ?? []))],
    end,
    endAll: (reason) => {
      endedForAll = reason;
      end(() => true, reason);
    },
  };
}
