import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../application/ports/clock.ts";

const MIB = 1024 * 1024;

/** Time limits for clients (docs/api.md §9 and §17), in ms. */
export type Patience = {
  /**
   * From the beginning of a connection. A kept-alive connection that stays unused is
   * closed without an answer.
   */
  readonly firstByte: number;
  /** From the first byte of a request to the end of its header. */
  readonly header: number;
  /**
   * An upload must bring so many bytes in every `within`, except the first one. Its time has no other limit.
   */
  readonly upload: { readonly bytes: number; readonly within: number };
  /**
   * How much of a request that is already answered is read and dropped; `quiet`: it ends after this
   * time without a byte.
   */
  readonly discard: { readonly millis: number; readonly bytes: number; readonly quiet: number };
  /** How long a large answer waits for room, and when a client that takes none of it is cut. */
  readonly answer: { readonly room: number; readonly taken: number };
  /** Interval of the checks. */
  readonly checkEvery: number;
};

export const PATIENCE: Patience = {
  firstByte: 30_000,
  header: 10_000,
  upload: { bytes: 160_000, within: 10_000 },
  discard: { millis: 10_000, bytes: 64 * MIB, quiet: 1_000 },
  answer: { room: 10_000, taken: 30_000 },
  checkEvery: 500,
};

/** With a longer gap between two checks, this process was suspended: no upload is to blame. */
const STOOD_STILL_MILLIS = 2_000;

/** Bytes received on a connection up to that moment. */
type Mark = { readonly at: number; readonly bytes: number };
type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };
type Line = { readonly socket: Socket; state: Quiet | Asked };

/** No request is in progress. `isFresh`: there never was one. */
type Quiet = { readonly isFresh: boolean; readonly since: Mark; firstByteAt: number | null };
type Asked = Exchange & { pace: Mark[]; paceSince: number; answeredAt: number | null };

/**
 * Watches every connection while the server listens. `refuse` answers 408 and closes; if an answer has begun
 * already, the connection is destroyed.
 */
export function watchSlowClients(
  server: Server,
  clock: Clock,
  patience: Patience,
  refuse: (socket: Socket) => void,
): void {
  const lines = new Map<Socket, Line>();
  const markOf = ({ bytesRead }: Socket): Mark => ({ at: clock.monotonicMillis(), bytes: bytesRead });
  const quiet = (socket: Socket, isFresh: boolean): Quiet => ({
    isFresh,
    since: markOf(socket),
    firstByteAt: null,
  });
  server.on("connection", (socket) => {
    lines.set(socket, { socket, state: quiet(socket, true) });
    socket.once("close", () => lines.delete(socket));
  });
  // A WebSocket is no longer a request: its own code watches it.
  server.on("upgrade", ({ socket }) => lines.delete(socket));
  server.on("request", (request, response) => {
    const line = lines.get(request.socket);
    if (line === undefined) return;
    const asked = { request, response, pace: [], paceSince: clock.monotonicMillis(), answeredAt: null };
    line.state = asked;
    response.once("finish", () => {
      if (request.complete && line.state === asked) line.state = quiet(line.socket, false);
    });
  });

  let lookedAt = clock.monotonicMillis();
  const look = () => {
    const stoodStill = clock.monotonicMillis() - lookedAt > STOOD_STILL_MILLIS;
    lookedAt = clock.monotonicMillis();
    for (const line of lines.values()) {
      const { socket, state } = line;
      if (stoodStill && "request" in state) measureAnew(state, lookedAt);
      if ("request" in state && isOver(state)) line.state = quiet(socket, false);
      const now = markOf(socket);
      const verdict = "request" in state ? judge(state, now, patience) : judgeQuiet(state, now, patience);
      if (verdict === "wait") continue;
      lines.delete(socket);
      if (verdict === "destroy") socket.destroy();
      else refuse(socket);
    }
  };
  let timer: NodeJS.Timeout | undefined;
  server.on("listening", () => {
    lookedAt = clock.monotonicMillis();
    timer = setInterval(look, patience.checkEvery).unref();
  });
  server.on("close", () => clearInterval(timer));
}

function measureAnew(state: Asked, now: number): void {
  state.pace = [];
  state.paceSince = now;
}

function isOver({ request, response }: Exchange): boolean {
  return request.complete && response.writableFinished;
}

type Verdict = "wait" | "refuse" | "destroy";

function judgeQuiet(state: Quiet, now: Mark, { firstByte, header }: Patience): Verdict {
  if (now.bytes > state.since.bytes) state.firstByteAt ??= now.at;
  if (state.firstByteAt !== null) return now.at - state.firstByteAt > header ? "refuse" : "wait";
  return state.isFresh && now.at - state.since.at > firstByte ? "refuse" : "wait";
}

function judge(state: Asked, now: Mark, { upload, discard }: Patience): Verdict {
  const { request, response } = state;
  if (request.complete) return "wait";
  if (response.writableFinished) {
    state.answeredAt ??= now.at;
    return now.at - state.answeredAt > discard.millis ? "destroy" : "wait";
  }
  if (!isTooSlow(state, now, upload)) return "wait";
  return response.headersSent ? "destroy" : "refuse";
}

/** Unread bytes are there because the service waits, not the client: the measurement starts again. */
function isTooSlow(state: Asked, now: Mark, { bytes, within }: Patience["upload"]): boolean {
  if (state.request.readableLength > 0) measureAnew(state, now.at);
  state.pace.push(now);
  const from = state.pace.findLastIndex(({ at }) => now.at - at >= within);
  const mark = state.pace[from];
  if (mark === undefined) return false;
  state.pace = state.pace.slice(from);
  return mark.at - state.paceSince >= within && now.bytes - mark.bytes < bytes;
}
