import { z } from "zod";
import type { CarrierEvent } from "../../../application/ports/carrier.ts";
import type { CarrierAnswer } from "../../../application/ports/entrances.ts";
import { instantFromMillis } from "../../../domain/shared/instant.ts";
import { type PhoneNumber, parsePhoneNumber } from "../../../domain/shared/phone-number.ts";
import type { OpenTwilioOptions } from "../open-carrier-options.ts";
import type { CallbackAddresses } from "./callback-addresses.ts";
import { type Callback, callSidOf, fieldOf } from "./callback-events.ts";
import { connectTwiml, dialTwiml, HANG_UP } from "./twiml.ts";

export type ActionDeps = Pick<
  OpenTwilioOptions,
  "sink" | "livenessOf" | "sessionsBegun" | "sessionIsDue" | "speakerOf"
> & {
  readonly addresses: CallbackAddresses;
};

/** How often a lost relay is opened again in one call. */
const MOST_TIMES_AGAIN = 2;

/** The relay has ended: how does the call go on? A repeat gets the same answer. */
export async function answerAction(deps: ActionDeps, callback: Callback): Promise<CarrierAnswer> {
  const to = transferOf(callback);
  if (to !== null) return handOn(deps, callback, to);
  if (!isLost(callback) || (await deps.livenessOf(callback.callId)) !== "live") return twiml(HANG_UP);
  const again = Number(callback.query["again"] ?? MOST_TIMES_AGAIN);
  return again >= 0 && again < MOST_TIMES_AGAIN ? goOn(deps, callback, again + 1) : giveUp(deps, callback);
}

/**
 * The call is over here with this TwiML: Twilio has the line from then on, until the two of them hang up.
 * A line that was to be hung up meanwhile is not handed on.
 */
async function handOn(deps: ActionDeps, callback: Callback, to: PhoneNumber): Promise<CarrierAnswer> {
  const from = fieldOf(callback.fields, "From");
  if (from === null || isHungUp(callback)) return twiml(HANG_UP);
  await endHere(deps, callback, { endReason: "transferred", endedBy: "assistant" });
  const isHandedOn = (await deps.livenessOf(callback.callId)) === "transferred";
  return twiml(isHandedOn ? dialTwiml(to, from) : HANG_UP);
}

function isHungUp({ fields }: Callback): boolean {
  return fieldOf(fields, "CallStatus") === "completed";
}

/** Our side closed, or could not be reached: nobody ended the talk. */
function isLost(callback: Callback): boolean {
  const { fields } = callback;
  return (
    !isHungUp(callback) &&
    (fieldOf(fields, "SessionStatus") === "failed" || fieldOf(fields, "ErrorCode") !== null)
  );
}

async function goOn(
  { addresses, sessionsBegun, sessionIsDue, speakerOf }: ActionDeps,
  { callId, query }: Callback,
  again: number,
): Promise<CarrierAnswer> {
  await sessionIsDue(callId);
  const [sessions, speaker] = await Promise.all([sessionsBegun(callId), speakerOf(callId)]);
  const relay = addresses.relay(callId, sessions);
  const action = addresses.callback(callId, "action", { ...query, again: String(again) });
  return twiml(connectTwiml(relay, action, speaker));
}

/** The relay is not opened a third time: the call ends, and Twilio hangs up. */
async function giveUp(deps: ActionDeps, callback: Callback): Promise<CarrierAnswer> {
  await endHere(deps, callback, { endReason: "connection_lost", endedBy: "system" });
  return twiml(HANG_UP);
}

type End = Pick<Extract<CarrierEvent, { type: "ended" }>, "endReason" | "endedBy">;

/** Resolves when the end is stored. Twilio's own event of it comes later, and changes nothing. */
async function endHere(
  { sink }: ActionDeps,
  { callId, fields, query, nowMillis }: Callback,
  end: End,
): Promise<void> {
  const carrierRef = callSidOf(fields);
  if (carrierRef === null) return;
  const occurredAt = instantFromMillis(nowMillis);
  await sink({
    type: "ended",
    dedupeKey: `${carrierRef}/ended`,
    callId,
    carrierRef,
    sequence: 0,
    occurredAt,
    ...end,
    answeredAt: occurredAt,
    answeredBy: "unknown",
    recordingExpected: query["recorded"] === "1",
    carrierCode: fieldOf(fields, "ErrorCode"),
  });
}

const handoff = z.object({ transfer: z.string() });

/** The data that we gave the relay with its end (relay-session.ts); Twilio's signature proves it. */
function transferOf({ fields }: Callback): PhoneNumber | null {
  const data = fieldOf(fields, "HandoffData");
  if (data === null) return null;
  try {
    const number = parsePhoneNumber(handoff.parse(JSON.parse(data)).transfer);
    return number.ok ? number.value : null;
  } catch {
    return null;
  }
}

function twiml(body: string): CarrierAnswer {
  return { status: 200, contentType: "text/xml", body };
}
