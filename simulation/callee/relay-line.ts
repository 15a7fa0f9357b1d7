import type { WebSocket } from "ws";
import type { Clock } from "../../application/ports/clock.ts";
import type { LineEvents } from "../../application/voice/callee/callee-session.ts";
import { openClientSocket } from "../../infrastructure/http/client-socket.ts";
import type { AnsweredCall, PutThrough } from "./answered-line.ts";
import { createRelayCallee } from "./relay-callee.ts";

const OPEN_MILLIS = 5_000;
const TRY_AGAIN_MILLIS = 200;

export type RelayLineDeps = {
  readonly clock: Clock;
  readonly speed: number;
  /** Relay address of this call, with a fresh token; null: no service has registered. */
  readonly addressOf: (callId: string) => string | null;
};

/** Opens the relay's socket to the service, and again when it is lost during the call. */
export function putThroughRelay(deps: RelayLineDeps): PutThrough {
  return (answered, events) => {
    const stop = new AbortController();
    const line: Line = { socket: null };
    void talkUntilOver(deps, answered, events, line, stop);
    return {
      end: (cause) => {
        stop.abort();
        if (cause === "hung_up") line.socket?.close(1_000);
        else if (cause === "line_lost") line.socket?.close(4_001);
        else line.socket?.terminate();
      },
    };
  };
}

type Line = { socket: WebSocket | null };
/**
 * over: the call has ended; finished: we have said our last words; transferred: the line goes
 * to another number.
 */
type SocketEnd = "over" | "finished" | "transferred" | "lost";

async function talkUntilOver(
  deps: RelayLineDeps,
  answered: AnsweredCall,
  events: LineEvents,
  line: Line,
  stop: AbortController,
): Promise<void> {
  let { linesSaid, resumed } = answered;
  const heard: LineEvents = {
    ...events,
    onSaid: (lines) => {
      linesSaid = lines;
      events.onSaid(lines);
    },
  };
  while (!stop.signal.aborted) {
    const address = deps.addressOf(answered.call.callId);
    const end =
      address === null ? "lost" : await talk(deps, { ...answered, linesSaid, resumed }, address, heard, line);
    if (stop.signal.aborted) return;
    if (end === "over") return events.onHangUp();
    if (end === "finished") return events.onFinished();
    if (end === "transferred") return events.onTransferred();
    resumed = true;
    await deps.clock.sleep(TRY_AGAIN_MILLIS, stop.signal);
  }
}

/** One socket, until it is closed. */
function talk(
  { clock, speed }: RelayLineDeps,
  answered: AnsweredCall,
  address: string,
  events: LineEvents,
  line: Line,
): Promise<SocketEnd> {
  return new Promise((resolve) => {
    const socket = openClientSocket(address, { openMillis: OPEN_MILLIS, guard: null });
    line.socket = socket;
    let end: SocketEnd = "lost";
    const hangUp = (why: SocketEnd) => {
      end = why;
      socket.close(1_000);
    };
    const send = (text: string) => {
      if (socket.readyState === socket.OPEN) socket.send(text);
    };
    const callee = createRelayCallee({
      ...answered,
      setup: setupFrame(answered, speed),
      clock,
      speed,
      events,
      send,
      onBeep: () => send(JSON.stringify({ type: "machine", greetingEnded: true })),
      onOver: hangUp,
    });
    socket.on("unexpected-response", (_request, response) => {
      if (response.statusCode === 410) end = "over";
      socket.terminate();
    });
    socket.on("error", () => socket.terminate());
    socket.on("open", callee.begin);
    socket.on("message", (data) => callee.receive(data.toString()));
    socket.on("close", () => {
      callee.stop();
      resolve(end);
    });
  });
}

function setupFrame({ call, carrierRef, linesSaid, resumed }: AnsweredCall, speed: number): object {
  return {
    type: "setup",
    callSid: carrierRef,
    from: call.from,
    to: call.to,
    direction: "outbound",
    customParameters: { callId: call.callId, speed, resumption: resumed, linesSaid },
  };
}
