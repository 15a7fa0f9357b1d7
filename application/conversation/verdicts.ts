import type { SessionKind } from "../../domain/call/conversation-events.ts";
import type { CallState } from "../../domain/call/state.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { callStream } from "../log/stream-names.ts";
import { createSleepCut } from "../wake-signal.ts";
import type { ConversationDeps } from "./conversation-deps.ts";
import type { ConversationLoop } from "./conversation-loop.ts";

const LOOK_MILLIS = 1_000;
/** Later verdicts are recorded and change nothing. */
const LOOKS = 60;

/**
 * Events that others append to the call during the conversation: the carrier's verdict about who answered,
 * and a request to end. A carrier may report to any process, so the log is read once a second in the first
 * minute. Sessions without a carrier do not need it.
 */
export async function watchVerdicts(
  { calls, clock, logger }: Pick<ConversationDeps, "calls" | "clock" | "logger">,
  callId: CallId,
  kind: SessionKind,
  { tell, over }: ConversationLoop,
): Promise<void> {
  if (kind !== "relay") return;
  const stop = createSleepCut();
  void over.then(() => stop.abort());
  let known: string | null = null;
  for (let look = 0; look < LOOKS && !stop.aborted; look += 1) {
    await clock.sleep(LOOK_MILLIS, stop);
    if (stop.aborted) return;
    try {
      const { verdict, wished } = await calls.query(callStream(callId), read, { fresh: true });
      if (wished) return tell({ type: "end_wished" });
      const now = JSON.stringify(verdict);
      if (verdict === null || now === known) continue;
      known = now;
      tell({ type: "machine_judged", ...verdict });
    } catch (error) {
      logger.warn({ callId, error }, "a verdict could not be looked for; looked for again");
    }
  }
}

function read({ machineVerdict, endRequested }: CallState) {
  const verdict = machineVerdict?.by === "carrier" ? { ...machineVerdict, by: machineVerdict.by } : null;
  return { verdict, wished: endRequested !== null };
}
