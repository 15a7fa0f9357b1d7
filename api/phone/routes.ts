import type { FastifyRequest } from "fastify";
import type { WebSocket } from "ws";
import type { ConnectedPhone, PhoneSocket } from "../../application/ports/phones.ts";
import { type FromPhone, fromPhone, phoneQuery } from "../../contract/phone.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import { concurrencyOf } from "../concurrency.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError } from "../errors.ts";
import { keyWatch } from "../history/watch-keys.ts";
import { isOurs } from "../same-origin.ts";

/** For one owner, in this process. */
const MOST_PHONES = 50;
/** A person sends some a second; more closes the socket. */
const FRAMES_A_SECOND = 50;
/** Characters; a person types fewer at once. */
export const LONGEST_FRAME = 16 * 1024;
/** The most unsent bytes for a phone that does not read. */
const LONGEST_BACKLOG = 1024 * 1024;
/** Close codes of RFC 6455. */
const GOING_AWAY = 1001;
const POLICY_VIOLATION = 1008;
const TOO_LARGE = 1009;
const TRY_AGAIN_LATER = 1013;

/** The phone's WebSocket (docs/api.md §10), outside /api/v1: it takes the key as Authorization: Bearer. */
export function registerPhone(api: Api, deps: ApiDeps): void {
  const enter = concurrencyOf(MOST_PHONES, "phones of this owner");
  const watchKeys = keyWatch(deps);
  api.get(
    "/phone",
    {
      websocket: true,
      schema: { hide: true, querystring: phoneQuery },
      config: { scope: "calls:write" },
      preHandler: async (request) => refuseForeignOrigin(request, deps.settings.publicUrl ?? null),
    },
    async (socket, request) => {
      const { owner, actor: keyId } = callerOf(request);
      const leave = enteredOr(enter, owner, socket);
      if (leave === null) return;
      const open = deps.openStreams.open({ owner, keyId, sessionId: request.sessionId }, () =>
        socket.terminate(),
      );
      open.ended.addEventListener("abort", () => socket.close(GOING_AWAY, open.endReason() ?? ""));
      watchKeys();
      const phoneId = request.query.phone ?? request.id;
      await serve(
        deps,
        socket,
        () => deps.phones.connect(owner, phoneId, socketOf(socket)),
        () => {
          open.leave();
          leave();
        },
      );
    },
  );
}

/** A page of another site may not use the phone of its visitor. */
function refuseForeignOrigin({ headers }: FastifyRequest, publicUrl: string | null): void {
  const { origin, host } = headers;
  if (origin === undefined || isOurs(origin, host, publicUrl)) return;
  throw new ApiError("FORBIDDEN", "This origin may not open a phone");
}

function enteredOr(
  enter: ReturnType<typeof concurrencyOf>,
  owner: Parameters<typeof enter>[0],
  socket: WebSocket,
): (() => void) | null {
  try {
    return enter(owner);
  } catch (error) {
    socket.close(TRY_AGAIN_LATER, error instanceof Error ? error.message : "");
    return null;
  }
}

/** Frames that come before the phone is connected wait. */
async function serve(
  { clock, logger }: Pick<ApiDeps, "clock" | "logger">,
  socket: WebSocket,
  connect: () => Promise<ConnectedPhone>,
  onClose: () => void,
): Promise<void> {
  const waiting: FromPhone[] = [];
  let phone: ConnectedPhone | null = null;
  let second = { began: clock.monotonicMillis(), frames: 0 };
  socket.on("message", (data, isBinary) => {
    const now = clock.monotonicMillis();
    if (now - second.began >= 1_000) second = { began: now, frames: 0 };
    second.frames += 1;
    if (second.frames > FRAMES_A_SECOND) return socket.close(POLICY_VIOLATION, "Too many frames");
    const text = isBinary ? "" : String(data);
    if (text.length > LONGEST_FRAME) return socket.close(TOO_LARGE, "The frame is too long");
    const frame = readFrame(text);
    if (frame === null) return;
    if (phone === null) waiting.push(frame);
    else phone.receive(frame);
  });
  socket.on("error", () => socket.terminate());
  socket.once("close", () => {
    onClose();
    phone?.left();
  });
  try {
    phone = await connect();
  } catch (error) {
    logger.warn({ problem: String(error) }, "a phone could not be connected");
    return socket.close(TRY_AGAIN_LATER, "Try again");
  }
  if (socket.readyState !== socket.OPEN) return phone.left();
  for (const frame of waiting.splice(0)) phone.receive(frame);
}

/** null: not a frame of a phone; it is ignored. */
export function readFrame(text: string): FromPhone | null {
  try {
    return fromPhone.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function socketOf(socket: WebSocket): PhoneSocket {
  return {
    send: (frame) => {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > LONGEST_BACKLOG) return socket.terminate();
      socket.send(JSON.stringify(frame));
    },
    close: () => socket.close(GOING_AWAY),
  };
}
