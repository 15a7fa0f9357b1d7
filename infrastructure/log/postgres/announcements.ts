import { systemClock } from "../../clock.ts";
import { type Ask, listenUntilStopped } from "../../listener.ts";
import type { LogConnections } from "./connection.ts";
import type { WakeUps } from "./wake-ups.ts";

export type Announcements = {
  /** From the first call on, listens for appends of other processes. */
  readonly listen: () => void;
  /** Notifies other processes of new events; at most one message in ten milliseconds. */
  readonly announce: () => void;
  readonly close: () => Promise<void>;
};

const CHANNEL = "ringfold_log";
const BETWEEN_ANNOUNCEMENTS_MILLIS = 10;

/**
 * One connection for LISTEN and NOTIFY, opened when it is first needed. Notifications are sent apart from the
 * appends, because a NOTIFY in a transaction takes a lock of the whole server. A lost one costs the others a
 * second, never an event.
 */
export function createAnnouncements(connections: LogConnections, wakeUps: WakeUps): Announcements {
  const closing = new AbortController();
  let running: Promise<void> | undefined;
  let ask: Ask | undefined;
  let toAnnounce = false;
  let announcing = false;

  const announcePending = async (): Promise<void> => {
    if (announcing) return;
    announcing = true;
    while (toAnnounce && ask !== undefined && !closing.signal.aborted) {
      toAnnounce = false;
      await ask(`notify ${CHANNEL}`).catch(() => undefined); // the connection is lost: another is opened
      await systemClock.sleep(BETWEEN_ANNOUNCEMENTS_MILLIS, closing.signal);
    }
    announcing = false;
  };
  const open = (): void => {
    running ??= listenUntilStopped({
      channel: CHANNEL,
      connect: () => connections.connect("notifications"),
      signal: closing.signal,
      onListening(asked) {
        ask = asked;
        wakeUps.raise(true); // announcements that were missed meanwhile
        void announcePending();
      },
      onNotification(_, own) {
        if (!own) wakeUps.raise(true);
      },
      onLost() {
        ask = undefined;
      },
      onFailure: () => undefined, // the database is unavailable: readers and writers report it
    });
  };

  return {
    listen: open,
    announce() {
      toAnnounce = true;
      open();
      void announcePending();
    },
    async close() {
      closing.abort();
      await running;
    },
  };
}
