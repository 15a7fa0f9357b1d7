import { createCalleeSession } from "../../../application/voice/callee/callee-session.ts";
import { recordingListener } from "../../support/voice/recording-listener.ts";
import { describeVoiceSession } from "./voice-session-contract.ts";

const nothing = () => undefined;

describeVoiceSession("of a callee in this process", async (options) => {
  const told: string[] = [];
  const events = { onSaid: nothing, onHangUp: nothing, onFinished: nothing, onTransferred: nothing };
  const { session, listen, close } = createCalleeSession({ ...options, linesSaid: 0, events });
  listen(recordingListener(told));
  return { session, told, end: close };
});
