import { WebSocket } from "ws";
import { wallMillis } from "./callee/phone-line.ts";

/** The moments at which this process told a line to be silent. */
export type PausesSent = { readonly at: readonly number[]; stop(): void };

const PAUSE = '"PAUSE_MEDIA"';

/**
 * Watches what is written to media sockets: our decision, before anything that the network or Asterisk adds.
 */
export function watchPauses(): PausesSent {
  const at: number[] = [];
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = new Proxy(send, {
    apply: (target, socket, sent) => {
      if (typeof sent[0] === "string" && sent[0].includes(PAUSE)) at.push(wallMillis());
      return Reflect.apply(target, socket, sent);
    },
  });
  return {
    at,
    stop: () => {
      WebSocket.prototype.send = send;
    },
  };
}
