import type { Clock } from "../../../application/ports/clock.ts";
import type { SocketEntrance, TextSocket, UpgradeRequest } from "../../../application/ports/entrances.ts";
import type { Logger } from "../../../application/ports/logger.ts";
import type { Metrics } from "../../../application/ports/metrics.ts";
import type { Conversations } from "../../../application/ports/voice-session.ts";
import { createTimer } from "../../../application/voice/timer.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { createFrameLimits } from "./frame-limits.ts";
import { parseFrame, type RelayFrame, type SetupFrame } from "./frames.ts";
import { createRelaySession, type RelaySession } from "./relay-session.ts";

/** Timeout between the upgrade and the setup frame. */
const SETUP_MILLIS = 10_000;
/** The most frames while the conversation is still being opened. */
const MOST_EARLY_FRAMES = 100;

/** transferred: it has ended because its line went to another number. */
export type CallLiveness = "live" | "ended" | "transferred" | "unknown";

export type RelayEntranceDeps = {
  readonly path: string;
  /** Whether the request comes from the carrier of that call. */
  readonly isFromCarrier: (callId: CallId, request: UpgradeRequest) => boolean;
  readonly livenessOf: (callId: CallId) => Promise<CallLiveness>;
  readonly conversations: Conversations;
  /**
   * Stores what the setup proves, before the conversation is opened; when it rejects, the socket is refused.
   */
  readonly onSetup?: (callId: CallId, setup: SetupFrame) => Promise<void>;
  /** Speed of line time from the setup; 1 for a carrier with real telephones. */
  readonly speedOf: (setup: SetupFrame) => number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
};

/**
 * The route where a carrier's relay opens a conversation. Refused before the upgrade: 403 not signed, 404 no
 * such call, 410 it has ended.
 */
export function createRelayEntrance(deps: RelayEntranceDeps): SocketEntrance {
  const open = new Set<() => void>();
  let leaving = false;
  return {
    path: deps.path,
    refuses: async (request) => {
      if (leaving) return { status: 503, message: "The service is stopping" };
      const callId = callIdOf(request);
      if (callId === null || !deps.isFromCarrier(callId, request))
        return { status: 403, message: "The request is not signed by the carrier" };
      const liveness = await deps.livenessOf(callId);
      if (liveness === "live") return null;
      return liveness === "unknown"
        ? { status: 404, message: "There is no such call" }
        : { status: 410, message: "The call has ended" };
    },
    open: (request, socket) => {
      const callId = callIdOf(request);
      if (callId === null || leaving) return socket.close(1_001, "stopping");
      const leave = serve(deps, callId, socket, () => open.delete(leave));
      open.add(leave);
    },
    leave: () => {
      leaving = true;
      for (const each of [...open]) each();
    },
  };
}

function callIdOf({ params }: UpgradeRequest): CallId | null {
  const { callId } = params;
  return callId !== undefined && /^call_[\w-]{1,64}$/.test(callId) ? (callId as CallId) : null;
}

/** One socket until its end; returns how to close it. */
function serve(
  deps: RelayEntranceDeps,
  callId: CallId,
  socket: TextSocket,
  onClosed: () => void,
): () => void {
  const limits = createFrameLimits(deps.clock);
  const patience = createTimer(deps.clock);
  const early: RelayFrame[] = [];
  let relay: RelaySession | null = null;
  let listening = false;
  let closed = false;
  const refused = (reason: "flood" | "malformed") => {
    deps.metrics.count("ringfold_relay_sockets_refused_total", { reason });
    deps.logger.warn({ callId, reason }, "relay socket closed");
    drop("refused", 1_008);
  };
  const drop = (cause: "refused" | "session_lost" | "hung_up" | "line_lost", code: number) => {
    if (closed) return;
    closed = true;
    patience.cancel();
    onClosed();
    if (relay === null) socket.close(code, cause);
    else relay.close(cause, code);
  };
  const begin = (setup: SetupFrame) => {
    patience.cancel();
    const speed = deps.speedOf(setup);
    const mine = createRelaySession({ socket, clock: deps.clock, speed });
    relay = mine;
    void arrived(deps, callId, mine, setup).then((taken) => {
      if (!taken) return drop("refused", 1_013);
      listening = true;
      for (const frame of early.splice(0)) mine.receive(frame);
    });
  };
  patience.set(SETUP_MILLIS, () => drop("refused", 1_002));
  socket.onText((text) => {
    if (closed) return;
    if (!limits.take()) return refused("flood");
    const frame = parseFrame(text);
    if (frame === "malformed") return limits.takeMalformed() ? undefined : refused("malformed");
    if (frame === "unknown") return;
    if (frame.type === "error")
      deps.logger.warn({ callId, description: frame.description.slice(0, 200) }, "relay error");
    else if (relay === null) frame.type === "setup" ? begin(frame) : refused("malformed");
    else if (listening) relay.receive(frame);
    else if (early.length < MOST_EARLY_FRAMES) early.push(frame);
    else refused("flood");
  });
  socket.onClose((code) => drop(CLOSED[code] ?? "session_lost", code));
  return () => drop("session_lost", 1_001);
}

/** Close codes of the other side with a meaning. Any other: it may come back. */
const CLOSED: Readonly<Record<number, "hung_up" | "line_lost">> = { 1000: "hung_up", 4001: "line_lost" };

async function arrived(
  { conversations, logger, onSetup }: RelayEntranceDeps,
  callId: CallId,
  relay: RelaySession,
  setup: SetupFrame,
): Promise<boolean> {
  try {
    await onSetup?.(callId, setup);
    const listener = await conversations.arrive({ callId, session: relay.session });
    if (listener === null) return false;
    relay.listen(listener);
    return true;
  } catch (error) {
    logger.error({ callId, error }, "the conversation could not be opened");
    return false;
  }
}
