import type { WebSocket } from "ws";
import { z } from "zod";
import type { AriClient } from "../ari/ari-client.ts";
import { type AriEvent, ariEventSchema, READ_EVENTS } from "../ari/ari-schemas.ts";

const BEAT_MILLIS = 3_000;
const BEAT = "rf_beat_";
const typed = z.object({ type: z.string() });

/** Asterisk's events for one application, with a check that they arrive. */
export interface EventSocket {
  /** Sends an event through Asterisk to ourselves; false: it did not come back in time. */
  beat(): Promise<boolean>;
  /** Resolves when the socket is gone. */
  readonly closed: Promise<void>;
  close(): void;
}

/** null: it cannot be opened. */
export async function openEventSocket(
  ari: AriClient,
  app: string,
  onEvent: (event: AriEvent) => void,
): Promise<EventSocket | null> {
  const socket = ari.socket(`/ari/events?app=${encodeURIComponent(app)}`);
  const closed = new Promise<void>((resolve) => {
    socket.addEventListener("close", () => resolve());
  });
  const beats = new Map<string, () => void>();
  socket.addEventListener("message", ({ data }) => {
    const event = parsedEvent(data);
    if (event === null) return;
    if (event.type === "ChannelUserevent") beats.get(event.eventname)?.();
    else onEvent(event);
  });
  if (!(await isOpen(socket, closed))) return null;
  const filter = { allowed: READ_EVENTS.map((type) => ({ type })) };
  const path = `/applications/${encodeURIComponent(app)}`;
  await ari.request({ method: "PUT", path: `${path}/eventFilter`, body: filter });
  let beaten = 0;
  return {
    closed,
    close: () => socket.close(),
    beat: async () => {
      beaten += 1;
      const name = `${BEAT}${beaten}`;
      const { promise: came, resolve } = Promise.withResolvers<boolean>();
      const timer = setTimeout(() => resolve(false), BEAT_MILLIS);
      beats.set(name, () => resolve(true));
      void closed.then(() => resolve(false));
      await ari.request({
        method: "POST",
        path: `/events/user/${name}`,
        query: { application: app },
        giveUpMillis: BEAT_MILLIS,
      });
      const arrived = await came;
      clearTimeout(timer);
      beats.delete(name);
      return arrived;
    },
  };
}

function isOpen(socket: WebSocket, closed: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    socket.addEventListener("open", () => resolve(true));
    void closed.then(() => resolve(false));
  });
}

/** null: not an event that we read. */
function parsedEvent(data: unknown): AriEvent | null {
  if (typeof data !== "string") return null;
  try {
    const value: unknown = JSON.parse(data);
    if (!typed.safeParse(value).success) return null;
    const event = ariEventSchema.safeParse(value);
    return event.success ? event.data : null;
  } catch {
    return null;
  }
}
