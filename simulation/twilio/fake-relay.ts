import webhooks from "twilio/lib/webhooks/webhooks.js";
import type { Clock } from "../../application/ports/clock.ts";
import { openClientSocket } from "../../infrastructure/http/client-socket.ts";
import { createRelayCallee } from "../callee/relay-callee.ts";
import type { FakeCall } from "./fake-call.ts";
import type { Faults } from "./faults.ts";

const OPEN_MILLIS = 5_000;
const FIRST_PAUSE_MILLIS = 200;
/** A socket that is chosen to break does so within this line time. */
const BREAKS_WITHIN_MILLIS = 20_000;

/** Our last words are read from the frames: they decide what the action is told. */
const OUR_END = { onFinished: () => undefined, onTransferred: () => undefined };

/** How a session of the relay ended, as the action receives it. */
export type RelayEnd =
  /** The callee has hung up. */
  | { readonly kind: "hung_up" }
  /** We sent `end`. */
  | { readonly kind: "ended"; readonly handoffData: string | null }
  | { readonly kind: "failed"; readonly errorCode: "64102" | "64105" };

export type FakeRelayDeps = {
  readonly clock: Clock;
  readonly speed: number;
  readonly account: { readonly accountSid: string; readonly authToken: string };
  readonly faults: Faults;
  readonly random: () => number;
  readonly onBeep: (call: FakeCall) => void;
};

/**
 * ConversationRelay's side of a session: opens the signed socket, and lets the callee listen and talk. Ends
 * with the call at the latest.
 */
export async function talkOverRelay(deps: FakeRelayDeps, call: FakeCall, address: string): Promise<RelayEnd> {
  const [url = "", fragment = ""] = address.split("#");
  const again = Number(/\brc=(\d)/.exec(fragment)?.[1] ?? 1);
  for (let attempt = 0; attempt <= again && !call.over.signal.aborted; attempt += 1) {
    if (attempt > 0) await deps.clock.sleep(FIRST_PAUSE_MILLIS * 2 ** (attempt - 1), call.over.signal);
    const end = await session(deps, call, url);
    if (end !== "not_opened") return end;
  }
  return { kind: "failed", errorCode: "64102" };
}

function session(deps: FakeRelayDeps, call: FakeCall, url: string): Promise<RelayEnd | "not_opened"> {
  const { clock, speed, account, faults, random } = deps;
  const { promise, resolve } = Promise.withResolvers<RelayEnd | "not_opened">();
  const signature = webhooks.getExpectedTwilioSignature(account.authToken, url, {});
  const socket = openClientSocket(url, {
    headers: { "x-twilio-signature": signature },
    openMillis: OPEN_MILLIS,
    guard: null,
  });
  let end: RelayEnd | "not_opened" = "not_opened";
  const close = (how: RelayEnd) => {
    end = how;
    socket.close(1_000);
  };
  const callee = createRelayCallee({
    setup: setupFrame(call, account.accountSid, speed),
    behaviour: call.behaviour,
    linesSaid: call.linesSaid,
    clock,
    speed,
    events: {
      onSaid: (lines) => {
        call.linesSaid = lines;
      },
      onHangUp: () => undefined,
      ...OUR_END,
    },
    send: (text) => {
      if (socket.readyState === socket.OPEN) socket.send(asTwilioWrites(text, random));
    },
    onBeep: () => deps.onBeep(call),
    onOver: (why) => {
      if (why === "over") close({ kind: "hung_up" });
    },
  });
  const callIsOver = () => close({ kind: "hung_up" });
  call.over.signal.addEventListener("abort", callIsOver, { once: true });
  socket.on("error", () => socket.terminate());
  socket.on("unexpected-response", () => socket.terminate());
  socket.on("open", () => {
    end = { kind: "failed", errorCode: "64105" };
    callee.begin();
    if (faults.strikes("relayLost"))
      void clock
        .sleep((random() * BREAKS_WITHIN_MILLIS) / speed, call.over.signal)
        .then(() => socket.terminate());
  });
  socket.on("message", (data) => {
    const text = data.toString();
    const handoff = endFrame(text);
    if (handoff !== null) return close({ kind: "ended", handoffData: handoff.handoffData });
    callee.receive(text);
  });
  socket.on("close", () => {
    call.over.signal.removeEventListener("abort", callIsOver);
    callee.stop();
    resolve(end);
  });
  return promise;
}

/** As Twilio writes it; `speed` is an addition of the fake, whose line time may run faster. */
function setupFrame(call: FakeCall, accountSid: string, speed: number): object {
  return {
    type: "setup",
    sessionId: `VX${call.sid.slice(2)}`,
    accountSid,
    callSid: call.sid,
    parentCallSid: "",
    from: call.form.get("From"),
    to: call.form.get("To"),
    forwardedFrom: "",
    callerName: "",
    direction: "outbound-api",
    callType: "PSTN",
    callStatus: "IN-PROGRESS",
    customParameters: { speed },
  };
}

/** Times may be a number or text. */
function asTwilioWrites(text: string, random: () => number): string {
  if (!text.startsWith('{"type":"interrupt"') || random() < 0.5) return text;
  const frame = JSON.parse(text);
  return JSON.stringify({ ...frame, durationUntilInterruptMs: String(frame.durationUntilInterruptMs) });
}

function endFrame(text: string): { readonly handoffData: string | null } | null {
  if (!text.startsWith('{"type":"end"')) return null;
  const { handoffData } = JSON.parse(text);
  return { handoffData: typeof handoffData === "string" ? handoffData : null };
}
