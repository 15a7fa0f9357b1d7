import { WebSocket } from "ws";
import type { Clock } from "../../../../application/ports/clock.ts";
import type { Logger } from "../../../../application/ports/logger.ts";
import type { MuLaw } from "../../../../application/ports/speech.ts";
import type { AudioLeg, AudioListener } from "../../../../application/voice/audio/audio-leg.ts";
import { createTimer } from "../../../../application/voice/timer.ts";
import { openClientSocket } from "../../../http/client-socket.ts";
import type { ConnectorDeps } from "../../../http/pinned-connector.ts";
import { type MediaCommand, type MediaEvent, parseMediaEvent } from "./media-frames.ts";
import { createMediaQueue, type MediaQueue } from "./media-queue.ts";

export type MediaLegOptions = {
  /**
   * ws://…/media/<MEDIA_WEBSOCKET_CONNECTION_ID>; the channel was made with format=ulaw and
   * transport_data=f(json).
   */
  readonly url: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Judges the address at the connect. */
  readonly guard: ConnectorDeps;
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
  const socket = openClientSocket(options.url, {
    protocols: ["media"],
    openMillis: OPEN_MILLIS,
    mostBytes: MOST_BYTES_AT_ONCE,
    guard: options.guard,
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
  const leg = new MediaLeg(socket, options, onStart);
  return {
    send: (audio) => leg.queue.send(audio),
    mark: (name) => leg.queue.mark(name),
    flush: () => leg.flush(),
    pause: () => leg.command({ command: "PAUSE_MEDIA" }),
    resume: () => leg.command({ command: "CONTINUE_MEDIA" }),
    hangUp: () => leg.hangUp(),
    listen: (listener) => leg.listen(listener),
  };
}

class MediaLeg {
  readonly queue: MediaQueue;
  readonly #socket: WebSocket;
  readonly #options: MediaLegOptions;
  readonly #onStart: () => void;
  readonly #unanswered: ((queued: number | null) => void)[] = [];
  #listener: AudioListener | null = null;
  #closed: "hung_up" | "session_lost" | null = null;
  #left = false;
  #malformed = 0;

  constructor(socket: WebSocket, options: MediaLegOptions, onStart: () => void) {
    this.#socket = socket;
    this.#options = options;
    this.#onStart = onStart;
    const { clock, logger } = options;
    const sink = {
      command: (sent: MediaCommand) => this.command(sent),
      audio: (audio: MuLaw) => this.#write(audio),
    };
    this.queue = createMediaQueue(sink, clock.monotonicMillis);
    const allowance = createAllowance(clock);
    socket.on("message", (data: Buffer, isBinary) => {
      if (this.#closed !== null || this.#left) return;
      if (!isBinary) this.#text(data.toString("utf8"));
      else if (allowance.take(data.length)) this.#listener?.audio(data);
    });
    socket.on("error", (error) => logger.warn({ error: error.message }, "media socket"));
    socket.on("close", (code) => this.#close(code === 1_000 ? "hung_up" : "session_lost"));
  }

  command(sent: MediaCommand): void {
    this.#write(JSON.stringify(sent));
  }

  flush(): Promise<number> {
    const { queue } = this;
    const here = { unplayed: queue.estimatedUnplayed() };
    const unsent = queue.drop();
    const answered = answerWithin(this.#options.clock, this.#unanswered);
    this.command({ command: "GET_STATUS" });
    this.command({ command: "FLUSH_MEDIA" });
    this.command({ command: "CONTINUE_MEDIA" });
    this.command({ command: "START_MEDIA_BUFFERING" });
    return answered.then((queued) => unsent + (queued === null ? here.unplayed : queued * FRAME_MILLIS));
  }

  hangUp(): void {
    if (this.#left) return;
    this.#left = true;
    this.command({ command: "HANGUP" });
    this.#options.hangUp();
    this.#socket.close(1_000);
  }

  listen(listener: AudioListener): void {
    this.#listener = listener;
    if (this.#closed !== null) listener.closed(this.#closed);
  }

  #write(data: string | MuLaw): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(data);
  }

  #close(cause: "hung_up" | "session_lost"): void {
    if (this.#closed !== null) return;
    this.#closed = cause;
    for (const answer of this.#unanswered.splice(0)) answer(null);
    if (!this.#left) this.#listener?.closed(cause);
  }

  #text(frame: string): void {
    const event = parseMediaEvent(frame);
    if (event === "unknown") return;
    if (event !== "malformed") {
      this.#take(event);
      return;
    }
    this.#malformed += 1;
    if (this.#malformed > MALFORMED_FRAMES) this.#socket.terminate();
  }

  #take(event: MediaEvent): void {
    if (event.event === "MEDIA_START") this.#begin(event.format);
    else if (event.event === "MEDIA_MARK_PROCESSED")
      for (const mark of this.queue.processed(event.correlation_id)) this.#listener?.played(mark);
    else if (event.event === "STATUS") this.#unanswered.shift()?.(event.queue_length);
    else if (event.event === "DTMF_END") this.#listener?.digit(event.digit);
    else this.queue.hold(event.event === "MEDIA_XOFF");
  }

  #begin(format: string): void {
    if (format !== "ulaw") {
      this.#options.logger.error({ format: format.slice(0, 40) }, "the media socket is not in ulaw");
      this.#socket.close(1_000);
      return;
    }
    this.command({ command: "START_MEDIA_BUFFERING" });
    this.#onStart();
  }
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
