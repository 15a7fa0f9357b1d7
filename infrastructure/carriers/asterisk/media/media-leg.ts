import type { LookupFunction } from "node:net";
import { WebSocket } from "ws";
import type { Clock } from "../../../../application/ports/clock.ts";
import type { Logger } from "../../../../application/ports/logger.ts";
import type { MuLaw } from "../../../../application/ports/speech.ts";
import type { AudioLeg, AudioListener } from "../../../voice/audio/audio-leg.ts";
import { createTimer } from "../../../voice/timer.ts";
import { type MediaCommand, type MediaEvent, parseMediaEvent } from "./media-frames.ts";
import { createMediaQueue } from "./media-queue.ts";

export type MediaLegOptions = {
  /**
   * ws://…/media/<MEDIA_WEBSOCKET_CONNECTION_ID>; the channel was made with format=ulaw and
   * transport_data=f(json).
   */
  readonly url: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Name resolution; default: that of the system. */
  readonly lookup?: LookupFunction;
  /** Ends the call at the carrier; the socket then closes by itself. */
  readonly hangUp: () => void;
};

const OPEN_MILLIS = 5_000;
/** If Asterisk does not report by then how much it had not played, it is estimated by time. */
const STATUS_MILLIS = 200;
const FRAME_MILLIS = 20;
const MALFORMED_FRAMES = 20;
/** Audio comes at 8,000 bytes a second; what comes much faster is dropped. */
const MOST_BYTES_A_MILLISECOND = 16;
const MOST_BYTES_AT_ONCE = 65_536;

/** The audio of a channel that bridges to chan_websocket; null: it could not be opened. */
export async function openMediaLeg(options: MediaLegOptions): Promise<AudioLeg | null> {
  const socket = new WebSocket(options.url, ["media"], {
    handshakeTimeout: OPEN_MILLIS,
    maxPayload: MOST_BYTES_AT_ONCE,
    perMessageDeflate: false,
    ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
  });
  const started = Promise.withResolvers<boolean>();
  const late = createTimer(options.clock);
  late.set(OPEN_MILLIS, () => started.resolve(false));
  const leg = createLeg(socket, options, () => started.resolve(true));
  socket.on("close", () => started.resolve(false));
  const isOpen = await started.promise;
  late.cancel();
  if (isOpen) return leg;
  socket.terminate();
  return null;
}

function createLeg(socket: WebSocket, options: MediaLegOptions, onStart: () => void): AudioLeg {
  const { clock, logger } = options;
  let listener: AudioListener | null = null;
  let closed: "hung_up" | "session_lost" | null = null;
  let left = false;
  let malformed = 0;
  const unanswered: ((queued: number | null) => void)[] = [];
  const allowance = createAllowance(clock);
  const command = (sent: MediaCommand) => write(JSON.stringify(sent));
  const write = (data: string | MuLaw) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(data);
  };
  const queue = createMediaQueue({ command, audio: write }, clock.monotonicMillis);

  const close = (cause: "hung_up" | "session_lost") => {
    if (closed !== null) return;
    closed = cause;
    for (const answer of unanswered.splice(0)) answer(null);
    if (!left) listener?.closed(cause);
  };
  const take = (event: MediaEvent) => {
    if (event.event === "MEDIA_START") begin(event.format);
    else if (event.event === "MEDIA_MARK_PROCESSED")
      for (const mark of queue.processed(event.correlation_id)) listener?.played(mark);
    else if (event.event === "STATUS") unanswered.shift()?.(event.queue_length);
    else if (event.event === "DTMF_END") listener?.digit(event.digit);
    else queue.hold(event.event === "MEDIA_XOFF");
  };
  const begin = (format: string) => {
    if (format !== "ulaw") {
      logger.error({ format: format.slice(0, 40) }, "the media socket is not in ulaw");
      return socket.close(1_000);
    }
    command({ command: "START_MEDIA_BUFFERING" });
    onStart();
  };
  const text = (frame: string) => {
    const event = parseMediaEvent(frame);
    if (event === "unknown") return;
    if (event !== "malformed") return take(event);
    malformed += 1;
    if (malformed > MALFORMED_FRAMES) socket.terminate();
  };

  socket.on("message", (data: Buffer, isBinary) => {
    if (closed !== null || left) return;
    if (!isBinary) text(data.toString("utf8"));
    else if (allowance.take(data.length)) listener?.audio(data);
  });
  socket.on("error", (error) => logger.warn({ error: error.message }, "media socket"));
  socket.on("close", (code) => close(code === 1_000 ? "hung_up" : "session_lost"));

  return {
    send: queue.send,
    mark: queue.mark,
    flush: () => {
      const here = { unplayed: queue.estimatedUnplayed() };
      const unsent = queue.drop();
      const answered = answerWithin(clock, unanswered);
      command({ command: "GET_STATUS" });
      command({ command: "FLUSH_MEDIA" });
      command({ command: "CONTINUE_MEDIA" });
      command({ command: "START_MEDIA_BUFFERING" });
      return answered.then((queued) => unsent + (queued === null ? here.unplayed : queued * FRAME_MILLIS));
    },
    pause: () => command({ command: "PAUSE_MEDIA" }),
    resume: () => command({ command: "CONTINUE_MEDIA" }),
    hangUp: () => {
      if (left) return;
      left = true;
      command({ command: "HANGUP" });
      options.hangUp();
      socket.close(1_000);
    },
    listen: (next) => {
      listener = next;
      if (closed !== null) next.closed(closed);
    },
  };
}

/** The next STATUS answers our request; null: none came in time. */
function answerWithin(clock: Clock, unanswered: ((queued: number | null) => void)[]): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const late = createTimer(clock);
  unanswered.push((queued) => {
    late.cancel();
    resolve(queued);
  });
  late.set(STATUS_MILLIS, () => resolve(null));
  return promise;
}

function createAllowance(clock: Pick<Clock, "monotonicMillis">): {
  readonly take: (bytes: number) => boolean;
} {
  let left = MOST_BYTES_AT_ONCE;
  let at = clock.monotonicMillis();
  return {
    take: (bytes) => {
      const now = clock.monotonicMillis();
      left = Math.min(MOST_BYTES_AT_ONCE, left + (now - at) * MOST_BYTES_A_MILLISECOND);
      at = now;
      if (left < bytes) return false;
      left -= bytes;
      return true;
    },
  };
}
