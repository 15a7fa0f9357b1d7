import type { FromPhone } from "../../contract/phone.ts";
import type { EndReason } from "../../domain/call/end-reason.ts";
import type { EndedBy } from "../../domain/call/events.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import { instantFromMillis } from "../../domain/shared/instant.ts";
import type { CarrierEvent, CarrierEventSink, PlaceCall } from "../ports/carrier.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Notifications } from "../ports/notifications.ts";
import type { EndOnly, PhoneCall, PhoneRows } from "../ports/phone-rows.ts";
import type { PhoneSocket } from "../ports/phones.ts";
import type { Conversations } from "../ports/voice-session.ts";
import { type Pauses, retryUntilDone } from "../repeating.ts";
import { type PhoneSession, phoneSession } from "./phone-session.ts";
import { refOf } from "./phone-telephony.ts";

export type PhoneLineDeps = {
  readonly rows: PhoneRows;
  readonly notifications: Pick<Notifications, "subscribe" | "tell">;
  /** Receives the events of the line. */
  readonly sink: CarrierEventSink;
  readonly conversations: () => Conversations;
  /** From the log; null: it has not ended, or is not known. */
  readonly endReasonOf: (callId: CallId) => Promise<EndReason | null>;
  readonly processId: string;
  readonly clock: Clock;
  readonly logger: Logger;
};

/** A phone that is open in this process. */
export type Phone = {
  readonly owner: OwnerId;
  readonly phoneId: string;
  readonly socket: PhoneSocket;
  /** Calls that ring at it. */
  readonly ringing: Set<CallId>;
  readonly sessions: Map<CallId, PhoneSession>;
};

export type Line = PhoneLineDeps & { readonly open: Set<Phone>; readonly stopping: AbortController };

/** Notification between processes: the id of a call that has changed. */
export const TOPIC = "phone";
/** Events of the line are repeated until they are durable. */
const PAUSES: Pauses = { first: 100, longest: 2_000 };
/** The answer may still be on its way into the log when its session arrives. */
const ARRIVE_TRIES = 10;

export async function receive(line: Line, phone: Phone, frame: FromPhone): Promise<void> {
  const { callId } = frame;
  const session = phone.sessions.get(callId);
  switch (frame.type) {
    case "answer":
      return answer(line, phone, callId);
    case "decline":
      if (phone.ringing.has(callId)) await end(line, callId, "declined", "customer", "ringing");
      return;
    case "hang_up":
      if (session !== undefined) await end(line, callId, "customer_ended", "customer");
      return;
    case "said":
      return session?.said(frame.text);
    case "speaking":
      return session?.speaking(frame.heard ?? null);
    case "digit":
      return session?.digit(frame.digit);
  }
}

async function answer(line: Line, phone: Phone, callId: CallId): Promise<void> {
  if (!phone.ringing.has(callId)) return;
  const call = await line.rows.answer(phone.owner, callId, phone.phoneId);
  if (call === null) return stopRinging(phone, callId);
  phone.ringing.delete(callId);
  line.notifications.tell(TOPIC, callId);
  for (const other of line.open) if (other !== phone) stopRinging(other, callId);
  const at = call.answeredAt ?? new Date(line.clock.nowMillis());
  const reported = tell(line, callId, { type: "answered", answeredBy: "human" }, at);
  begin(line, phone, call, reported);
  await reported;
}

/**
 * The phone has taken the call: its conversation begins once the answer is in the log (`told`), or continues.
 */
export function begin(line: Line, phone: Phone, { callId }: PhoneCall, reported = Promise.resolve()): void {
  const session = phoneSession(line.clock, callId, phone.socket.send);
  phone.sessions.set(callId, session);
  phone.socket.send({ type: "answered", callId });
  const arrived = reported.then(() => arrive(line, callId, session));
  void arrived.catch((error: unknown) => {
    line.logger.error({ callId, problem: String(error) }, "a call on a phone found no conversation");
    void end(line, callId, "assistant_error", "system").catch(() => undefined);
  });
}

async function arrive(line: Line, callId: CallId, session: PhoneSession): Promise<void> {
  for (let tries = 0; tries < ARRIVE_TRIES; tries += 1) {
    const listener = await line.conversations().arrive({ callId, session: session.session });
    if (listener !== null) return session.listen(listener);
    await line.clock.sleep(PAUSES.first * (tries + 1), line.stopping.signal);
  }
  throw new Error("the call is not known, or is over");
}

/** The first one to end it reports the end; `only` says which calls may be ended. */
export async function end(
  line: Line,
  callId: CallId,
  endReason: EndReason,
  endedBy: EndedBy | null,
  only: EndOnly = "live",
): Promise<void> {
  const call = await line.rows.end(callId, endReason, endedBy, only);
  if (call !== null) await over(line, callId, endReason, endedBy, call);
}

export async function over(
  line: Line,
  callId: CallId,
  endReason: EndReason,
  endedBy: EndedBy | null,
  { answeredAt, endedAt }: PhoneCall,
): Promise<void> {
  line.notifications.tell(TOPIC, callId);
  const at = endedAt ?? new Date(line.clock.nowMillis());
  const reported = {
    type: "ended" as const,
    endReason,
    endedBy,
    answeredAt: answeredAt === null ? null : instantFromMillis(answeredAt.getTime()),
    answeredBy: answeredAt === null ? null : ("human" as const),
    recordingExpected: false,
    carrierCode: null,
  };
  for (const phone of line.open) phone.sessions.get(callId)?.close("hung_up");
  await tell(line, callId, reported, at);
  await tellPhones(line, callId, endReason);
}

type Common = "dedupeKey" | "callId" | "carrierRef" | "sequence" | "occurredAt";
type Reported = {
  readonly [Type in "answered" | "ended"]: Omit<Extract<CarrierEvent, { type: Type }>, Common>;
};
const SEQUENCE = { answered: 2, ended: 3 } as const;

async function tell(
  { sink, clock, logger, stopping }: Line,
  callId: CallId,
  reported: Reported[keyof Reported],
  at: Date,
): Promise<void> {
  const carrierRef = refOf(callId);
  const event: CarrierEvent = {
    ...reported,
    callId,
    carrierRef,
    sequence: SEQUENCE[reported.type],
    dedupeKey: `${carrierRef}:${reported.type}`,
    occurredAt: instantFromMillis(at.getTime()),
  };
  const onFailure = (error: unknown) =>
    logger.warn({ callId, problem: String(error) }, "what a phone did is not stored yet");
  await retryUntilDone({ clock, pauses: PAUSES, signal: stopping.signal, onFailure }, () => sink(event));
}

/** Another process reported a change of the call. */
export async function refresh(line: Line, callId: CallId): Promise<void> {
  if (line.open.size === 0) return;
  const call = await line.rows.find(callId).catch(() => null);
  if (call === null) return;
  const rings = call.answeredAt === null && call.endedAt === null && !call.rungOut;
  if (!rings) return call.endedAt === null ? stopRingingAll(line, callId) : overElsewhere(line, call);
  for (const phone of line.open) if (phone.owner === call.owner) ringAt(phone, call);
}

async function overElsewhere(line: Line, { callId, endReason }: PhoneCall): Promise<void> {
  for (const phone of line.open) phone.sessions.get(callId)?.close("hung_up");
  await tellPhones(line, callId, endReason);
}

/** Notifications may have been missed. */
export async function ringAgain(line: Line): Promise<void> {
  for (const owner of new Set([...line.open].map((phone) => phone.owner))) {
    const calls = await line.rows.ringingOf(owner).catch(() => []);
    for (const phone of line.open) if (phone.owner === owner) for (const call of calls) ringAt(phone, call);
  }
}

export function ring(line: Line, call: PlaceCall): void {
  line.notifications.tell(TOPIC, call.callId);
  for (const phone of line.open) if (phone.owner === call.owner) ringAt(phone, call);
  const { clock, stopping } = line;
  void clock.sleep(call.ringTimeoutSeconds * 1_000, stopping.signal).then(async () => {
    if (stopping.signal.aborted) return;
    await end(line, call.callId, "no_answer", "system", "ringing").catch(() => undefined);
  });
}

export function ringAt(
  { ringing, sessions, socket }: Phone,
  { callId, from, assistantName }: Pick<PhoneCall, "callId" | "from" | "assistantName">,
): void {
  if (ringing.has(callId) || sessions.has(callId)) return;
  ringing.add(callId);
  socket.send({ type: "ringing", callId, from, assistantName });
}

function stopRingingAll({ open }: Line, callId: CallId): void {
  for (const phone of open) stopRinging(phone, callId);
}

function stopRinging({ ringing, socket }: Phone, callId: CallId): void {
  if (ringing.delete(callId)) socket.send({ type: "ended", callId, endReason: null });
}

/** The end from the log: after our hang-up it has the reason of the request. */
async function tellPhones(line: Line, callId: CallId, reported: EndReason | null): Promise<void> {
  const logged = await line.endReasonOf(callId).catch(() => null);
  for (const { ringing, sessions, socket } of line.open) {
    const had = ringing.delete(callId) || sessions.delete(callId);
    if (had) socket.send({ type: "ended", callId, endReason: logged ?? reported });
  }
}
