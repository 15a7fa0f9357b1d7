import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { createFarEnd, type FarEnd } from "./far-end.ts";
import { silence } from "./sounds.ts";

export type MediaCall = {
  readonly far: FarEnd;
  /** Commands as they came, with the time of performance.now() and our frames that were played by then. */
  readonly commands: { readonly command: string; readonly at: number; readonly played: number }[];
  /** Every frame that was played; silence where nothing was. */
  readonly heard: Uint8Array[];
  /** How many of them were ours. */
  played(): number;
  /** What the customer says from now on. */
  speak(sound: Uint8Array): void;
  tell(event: object | string): void;
  readonly socket: WebSocket;
};

export type FakeMediaServer = {
  readonly url: string;
  readonly calls: MediaCall[];
  close(): Promise<void>;
};

type Options = {
  /** 1: real time. */
  readonly speed?: number;
  /** What is played comes back, as from a telephone held to its own ear. */
  readonly echoes?: boolean;
  readonly format?: string;
  /** GET_STATUS is not answered. */
  readonly isMute?: boolean;
};

const FRAME_MILLIS = 20;
const SILENT_FRAME = silence(FRAME_MILLIS);
const MOST_TEXT_BYTES = 128;

/** The media socket of chan_websocket (JSON control messages), without an Asterisk behind it. */
export async function fakeMediaServer(options: Options = {}): Promise<FakeMediaServer> {
  const { speed = 1, echoes = false, format = "ulaw", isMute = false } = options;
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, handleProtocols: () => "media" });
  await new Promise((listening) => server.once("listening", listening));
  const calls: MediaCall[] = [];
  server.on("connection", (socket) => {
    const far = createFarEnd();
    let saying: Uint8Array[] = [];
    const tell = (event: object | string) =>
      socket.send(typeof event === "string" ? event : JSON.stringify({ channel_id: "media_1", ...event }));
    const call: MediaCall = {
      far,
      commands: [],
      heard: [],
      played: () => call.heard.filter((frame) => frame !== SILENT_FRAME).length,
      socket,
      tell,
      speak: (sound) => {
        saying = Array.from({ length: Math.floor(sound.length / 160) }, (_, at) =>
          sound.subarray(at * 160, at * 160 + 160),
        );
      },
    };
    calls.push(call);
    const obey = (text: string) => {
      if (Buffer.byteLength(text) > MOST_TEXT_BYTES) return;
      const { command, correlation_id: id } = JSON.parse(text);
      call.commands.push({ command, at: performance.now(), played: call.played() });
      if (command === "START_MEDIA_BUFFERING") far.buffering(true);
      else if (command === "STOP_MEDIA_BUFFERING") far.buffering(false);
      else if (command === "MARK_MEDIA") far.mark(id);
      else if (command === "FLUSH_MEDIA") far.flush();
      else if (command === "PAUSE_MEDIA") far.pause(true);
      else if (command === "CONTINUE_MEDIA") far.pause(false);
      else if (command === "GET_STATUS" && !isMute) tell({ event: "STATUS", queue_length: far.queued() });
      else if (command === "HANGUP") socket.close(1_000);
    };
    socket.on("message", (data: Buffer, isBinary) =>
      isBinary ? far.audio(data) : obey(data.toString("utf8")),
    );
    let due = performance.now();
    const play = () => {
      for (; due <= performance.now(); due += FRAME_MILLIS / speed) {
        const { played, marks, flow } = far.tick();
        call.heard.push(played ?? SILENT_FRAME);
        for (const mark of marks) tell({ event: "MEDIA_MARK_PROCESSED", correlation_id: mark });
        if (flow !== null) tell({ event: flow === "off" ? "MEDIA_XOFF" : "MEDIA_XON" });
        const back = echoes ? played : saying.shift();
        socket.send(back ?? SILENT_FRAME);
      }
    };
    const ticking = setInterval(play, Math.max(1, FRAME_MILLIS / speed / 2));
    socket.on("close", () => clearInterval(ticking));
    tell({
      event: "MEDIA_START",
      connection_id: "c1",
      channel: "WebSocket/c1",
      format,
      optimal_frame_size: 160,
      ptime: 20,
    });
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/media/c1`,
    calls,
    close: () =>
      new Promise((closed) => {
        for (const client of server.clients) client.terminate();
        server.close(() => closed());
      }),
  };
}
