import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import type { Carrier } from "../ports/carrier.ts";
import { AWAY_SECONDS } from "../ports/phone-rows.ts";
import type { ConnectedPhone, PhoneSocket, Phones } from "../ports/phones.ts";
import { repeatUntilStopped } from "../repeating.ts";
import {
  begin,
  end,
  type Line,
  over,
  type Phone,
  type PhoneLineDeps,
  receive,
  refresh,
  ring,
  ringAgain,
  ringAt,
  TOPIC,
} from "./phone-calls.ts";
import { phoneTelephony } from "./phone-telephony.ts";

export type PhoneLine = {
  readonly telephony: Carrier;
  readonly phones: Phones;
  /** Phones of this process are closed; their calls wait for them at other processes. */
  readonly stop: () => Promise<void>;
};

const RENEW_MILLIS = 2_000;

/**
 * Browser telephones for users without another one: a call rings at all open phones of its owner, in every
 * process. Its state is in work.phone_calls; a conditional update there decides which phone takes it.
 */
export function openPhoneLine(deps: PhoneLineDeps): PhoneLine {
  const line: Line = { ...deps, open: new Set(), stopping: new AbortController() };
  const { clock, rows, processId, logger } = deps;
  const { signal } = line.stopping;
  const unsubscribe = deps.notifications.subscribe(TOPIC, {
    onMessage: (callId) => void refresh(line, callId as CallId),
    onGap: () => void ringAgain(line),
  });
  void repeatUntilStopped(
    {
      signal,
      pause: () => clock.sleep(RENEW_MILLIS, signal),
      onFailure: (error) => logger.warn({ problem: String(error) }, "open phones could not be renewed"),
    },
    async () => {
      if (line.open.size > 0) await rows.renew(processId);
    },
  );
  return {
    telephony: phoneTelephony({
      rows,
      clock,
      ring: (call) => ring(line, call),
      hungUp: (call) => void over(line, call.callId, "api_ended", "api", call),
    }),
    phones: { connect: (owner, phoneId, socket) => connect(line, owner, phoneId, socket) },
    stop: async () => {
      line.stopping.abort();
      unsubscribe();
      const left = [...line.open].map((phone) => leave(line, phone));
      await Promise.all(left);
    },
  };
}

async function connect(
  line: Line,
  owner: OwnerId,
  phoneId: string,
  socket: PhoneSocket,
): Promise<ConnectedPhone> {
  const phone: Phone = { owner, phoneId, socket, ringing: new Set(), sessions: new Map() };
  for (const other of line.open)
    if (other.owner === owner && other.phoneId === phoneId) await leave(line, other);
  await line.rows.open(owner, phoneId, line.processId);
  line.open.add(phone);
  for (const call of await line.rows.takeUp(owner, phoneId)) begin(line, phone, call);
  for (const call of await line.rows.ringingOf(owner)) ringAt(phone, call);
  return {
    receive: (frame) =>
      void receive(line, phone, frame).catch((error: unknown) => {
        line.logger.warn(
          { callId: frame.callId, problem: String(error) },
          "a phone's wish was not carried out",
        );
      }),
    left: () => void leave(line, phone).catch(() => undefined),
  };
}

/** The phone is gone from this process. A repeat changes nothing. */
async function leave(line: Line, phone: Phone): Promise<void> {
  if (!line.open.delete(phone)) return;
  phone.socket.close();
  const calls = [...phone.sessions.keys()];
  for (const session of phone.sessions.values()) session.close("session_lost");
  phone.sessions.clear();
  await line.rows.close(phone.owner, phone.phoneId, line.processId);
  for (const callId of calls) void endWhenAway(line, callId);
}

/** A phone that does not come back has lost the call. After a stop, another process checks that. */
async function endWhenAway(line: Line, callId: CallId): Promise<void> {
  const { clock, stopping } = line;
  await clock.sleep(AWAY_SECONDS * 1_000, stopping.signal);
  if (!stopping.signal.aborted) await end(line, callId, "connection_lost", null, "away");
}
