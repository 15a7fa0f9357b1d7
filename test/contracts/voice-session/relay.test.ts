import type { VoiceSession } from "../../../application/ports/voice-session.ts";
import { createRelayEntrance } from "../../../infrastructure/voice/relay/relay-entrance.ts";
import { createRelayCallee } from "../../../simulation/callee/relay-callee.ts";
import { silentLogger, silentMetrics } from "../../../simulation/memory/silent.ts";
import { recordingListener } from "../../support/voice/recording-listener.ts";
import { socketPair } from "../../support/voice/socket-pair.ts";
import { describeVoiceSession } from "./voice-session-contract.ts";

const nothing = () => undefined;
const REQUEST = { url: "/", headers: {}, params: { callId: "call_1" }, query: {} };
const CODES = { hung_up: 1_000, line_lost: 4_001, session_lost: 1_011 };

describeVoiceSession("over a relay's socket", async ({ clock, speed, behaviour }) => {
  const told: string[] = [];
  const arrived = Promise.withResolvers<VoiceSession>();
  const entrance = createRelayEntrance({
    path: "/",
    clock,
    logger: silentLogger,
    metrics: silentMetrics,
    isFromCarrier: () => true,
    livenessOf: async () => "live",
    speedOf: () => speed,
    conversations: {
      arrive: async ({ session }) => {
        arrived.resolve(session);
        return recordingListener(told);
      },
    },
  });
  const { near, far } = socketPair();
  const callee = createRelayCallee({
    clock,
    speed,
    behaviour,
    setup: { type: "setup", callSid: "sim_1" },
    linesSaid: 0,
    events: { onSaid: nothing, onHangUp: nothing, onFinished: nothing, onTransferred: nothing },
    send: far.send,
    onBeep: () => far.send(JSON.stringify({ type: "machine", greetingEnded: true })),
    onOver: () => far.close(1_000, ""),
  });
  far.onText(callee.receive);
  far.onClose(callee.stop);
  entrance.open(REQUEST, near);
  callee.begin();
  const session = await arrived.promise;
  return { session, told, end: (cause) => far.close(CODES[cause], cause) };
});
