import { z } from "zod";
import type { CarrierAnswer } from "../../../application/ports/entrances.ts";
import { instantFromMillis } from "../../../domain/shared/instant.ts";
import { type PhoneNumber, parsePhoneNumber } from "../../../domain/shared/phone-number.ts";
import type { OpenTwilioOptions } from "../open-carrier-options.ts";
import type { CallbackAddresses } from "./callback-addresses.ts";
import { type Callback, callSidOf, fieldOf } from "./callback-events.ts";
import { connectTwiml, dialTwiml, HANG_UP } from "./twiml.ts";

export type ActionDeps = Pick<OpenTwilioOptions, "sink" | "livenessOf" | "sessionsBegun" | "speakerOf"> & {
  readonly addresses: CallbackAddresses;
};

/** How often a lost relay is opened again in one call. */
const MOST_TIMES_AGAIN = 2;

/** The relay has ended: how does the call go on? A repeat gets the same answer. */
export async function answerAction(deps: ActionDeps, callback: Callback): Promise<CarrierAnswer> {
  const to = transferOf(callback);
  const from = fieldOf(callback.fields, "From");
  if (to !== null && from !== null) return twiml(dialTwiml(to, from));
  if (!isLost(callback) || (await deps.livenessOf(callback.callId)) !== "live") return twiml(HANG_UP);
  const again = Number(callback.query["again"] ?? MOST_TIMES_AGAIN);
  return again >= 0 && again < MOST_TIMES_AGAIN ? goOn(deps, callback, again + 1) : giveUp(deps, callback);
}

/** Our side closed, or could not be reached: nobody ended the talk. */
function isLost({ fields }: Callback): boolean {
  const isOver = fieldOf(fields, "CallStatus") === "completed";
  return !isOver && (fieldOf(fields, "SessionStatus") === "failed" || fieldOf(fields, "ErrorCode") !== null);
}

async function goOn(
  { addresses, sessionsBegun, speakerOf }: ActionDeps,
  { callId }: Callback,
  again: number,
): Promise<CarrierAnswer> {
  const [sessions, speaker] = await Promise.all([sessionsBegun(callId), speakerOf(callId)]);
  const relay = addresses.relay(callId, sessions);
  return twiml(connectTwiml(relay, addresses.callback(callId, "action", { again: String(again) }), speaker));
}

/** The relay is not opened a third time: the call ends, and Twilio hangs up. */
async function giveUp({ sink }: ActionDeps, { callId, fields, nowMillis }: Callback): Promise<CarrierAnswer> {
  const carrierRef = callSidOf(fields);
  if (carrierRef === null) return twiml(HANG_UP);
  const occurredAt = instantFromMillis(nowMillis);
  await sink({
    type: "ended",
    dedupeKey: `${carrierRef}/ended`,
    callId,
    carrierRef,
    sequence: 0,
    occurredAt,
    endReason: "connection_lost",
    endedBy: "system",
    answeredAt: occurredAt,
    answeredBy: "unknown",
    recordingExpected: false,
    carrierCode: fieldOf(fields, "ErrorCode"),
  });
  return twiml(HANG_UP);
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
