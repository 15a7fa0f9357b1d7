import { setTimeout as wait } from "node:timers/promises";
import type { WebSocket } from "ws";
import { z } from "zod";
import { type FromPhone, type ToPhone, toPhone } from "../../contract/phone.ts";
import { openClientSocket } from "../../infrastructure/http/client-socket.ts";

export type PhoneConnectionOptions = {
  /** Of the service. */
  readonly url: string;
  readonly key: string;
  /** The phone's own id: with it a call continues after a lost connection. */
  readonly phoneId: string;
  readonly onFrame: (frame: ToPhone) => void;
  /** It is connected, or no longer. */
  readonly onChange: (connected: boolean) => void;
  readonly stop: AbortSignal;
};

export type PhoneConnection = {
  /** Dropped while it is not connected. */
  readonly send: (frame: FromPhone) => void;
  /** Resolves after `stop`; rejects when the service refuses the key. */
  readonly over: Promise<void>;
};

const OPEN_MILLIS = 10_000;
const FIRST_PAUSE_MILLIS = 250;
const LONGEST_PAUSE_MILLIS = 4_000;

/** Connects, and again whenever the connection is lost. */
export function connectPhone(options: PhoneConnectionOptions): PhoneConnection {
  let open: WebSocket | null = null;
  const connectAlways = async (): Promise<void> => {
    let pause = FIRST_PAUSE_MILLIS;
    while (!options.stop.aborted) {
      const refusal = await whyRefused(options);
      if (refusal !== null) throw new Error(refusal);
      const connected = await connectOnce(options, (socket) => {
        open = socket;
      });
      open = null;
      pause = connected ? FIRST_PAUSE_MILLIS : Math.min(pause * 2, LONGEST_PAUSE_MILLIS);
      await wait(pause, null, { signal: options.stop }).catch(() => undefined);
    }
  };
  return {
    send: (frame) => open?.send(JSON.stringify(frame)),
    over: connectAlways(),
  };
}

/**
 * A WebSocket does not say why it is refused: an ordinary request to the same path does. null: it is not
 * refused, or nobody answers now.
 */
async function whyRefused({ url, key, stop }: PhoneConnectionOptions): Promise<string | null> {
  const headers = { Authorization: `Bearer ${key}` };
  const answer = await fetch(new URL("/phone", url), { headers, signal: stop }).catch(() => null);
  if (answer?.status === 401) return "The service does not know this key";
  if (answer?.status === 403) return "The key lacks the scope calls:write";
  return null;
}

const account = z.object({ data: z.object({ defaultModel: z.string() }) });

/**
 * Name of the model that speaks for assistants without one of their own. null: the key lacks the scope
 * account:read, or the service is of before it told.
 */
export async function defaultModel({
  url,
  key,
  stop,
}: Pick<PhoneConnectionOptions, "url" | "key" | "stop">): Promise<string | null> {
  const headers = { Authorization: `Bearer ${key}` };
  const signal = AbortSignal.any([stop, AbortSignal.timeout(OPEN_MILLIS)]);
  try {
    const answer = await fetch(new URL("/api/v1/account", url), { headers, signal });
    return account.safeParse(await answer.json()).data?.data.defaultModel ?? null;
  } catch {
    return null;
  }
}

/** Resolves at the end of the connection: whether there was one. */
function connectOnce(
  { url, key, phoneId, onFrame, onChange, stop }: PhoneConnectionOptions,
  onOpen: (socket: WebSocket) => void,
): Promise<boolean> {
  const target = new URL(`/phone?phone=${phoneId}`, url);
  target.protocol = target.protocol === "https:" ? "wss:" : "ws:";
  const headers = { Authorization: `Bearer ${key}` };
  const socket = openClientSocket(target.href, { headers, openMillis: OPEN_MILLIS, guard: null });
  const close = () => socket.close();
  stop.addEventListener("abort", close);
  let connected = false;
  return new Promise((resolve) => {
    socket.addEventListener("open", () => {
      connected = true;
      onOpen(socket);
      onChange(true);
    });
    socket.addEventListener("message", ({ data }) => {
      const frame = readFrame(String(data));
      if (frame !== null) onFrame(frame);
    });
    socket.addEventListener("close", () => {
      stop.removeEventListener("abort", close);
      if (connected) onChange(false);
      resolve(connected);
    });
  });
}

/** null: a frame of a later version. */
function readFrame(text: string): ToPhone | null {
  try {
    return toPhone.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
