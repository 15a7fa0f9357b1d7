import type pg from "pg";
import { repeatUntilStopped } from "../../../application/repeating.ts";
import { systemClock } from "../../clock.ts";
import type { LogConnections } from "./connection.ts";
import type { WakeUps } from "./wake-ups.ts";

export type Notifications = {
  /** Hears, from the first call on, of appends of other processes. */
  readonly listen: () => void;
  /** Lets other processes know that there is something new; at most one message in ten milliseconds. */
  readonly announce: () => void;
  readonly close: () => Promise<void>;
};

const PAUSE_MS = 500;
const BETWEEN_ANNOUNCEMENTS_MS = 10;

/**
 * One connection for LISTEN and NOTIFY, opened when it is first needed and again whenever it is lost. Announcements are sent beside the appends
 * (a NOTIFY inside of one would take a lock of the whole server); one that is lost costs the others a second, never an event.
 */
export function createNotifications(connections: LogConnections, wakeUps: WakeUps): Notifications {
  const closing = new AbortController();
  let running: Promise<void> | undefined;
  let client: pg.Client | undefined;
  let toAnnounce = false;
  let announcing = false;
  let announced: Promise<unknown> = Promise.resolve();

  const announcePending = async (): Promise<void> => {
    if (announcing) return;
    announcing = true;
    while (toAnnounce && client !== undefined && !closing.signal.aborted) {
      toAnnounce = false;
      announced = client.query("notify ringfold_log").catch(() => undefined); // the connection is lost: `stay` opens another
      await announced;
      await systemClock.sleep(BETWEEN_ANNOUNCEMENTS_MS, closing.signal);
    }
    announcing = false;
  };

  /** Until the connection ends. */
  const listenOnce = async (): Promise<void> => {
    const current = await connections.connect("notifications");
    const ended = new Promise<void>((resolve) => current.once("end", resolve));
    // A connection that ends before its answer has come is a FATAL line in the log of the database.
    const end = (): void => void announced.then(() => current.end()).catch(() => undefined);
    closing.signal.addEventListener("abort", end);
    try {
      const { rows } = await current.query<{ pid: string }>("select pg_backend_pid() as pid");
      current.on("notification", ({ processId }) => {
        if (String(processId) !== rows[0]?.pid) wakeUps.raise(true);
      });
      await current.query("listen ringfold_log");
      client = current;
      wakeUps.raise(true); // what was announced meanwhile
      void announcePending();
      if (closing.signal.aborted) end();
      await ended;
    } finally {
      client = undefined;
      closing.signal.removeEventListener("abort", end);
      end();
    }
  };

  const stay = async (): Promise<void> => {
    // The database is away: whoever reads or appends says so.
    const onFailure = () => undefined;
    const pause = () => systemClock.sleep(PAUSE_MS, closing.signal);
    await repeatUntilStopped({ signal: closing.signal, pause, onFailure }, listenOnce);
  };
  const open = (): void => {
    running ??= stay();
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
