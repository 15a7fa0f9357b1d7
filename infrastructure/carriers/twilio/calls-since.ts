import type { CallsSince, UnnamedCall } from "../../../application/ports/carrier.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { type Instant, instantFromMillis, millisOf } from "../../../domain/shared/instant.ts";
import { parsePhoneNumber } from "../../../domain/shared/phone-number.ts";
import { refusalOf } from "./refusals.ts";
import { codeOf } from "./transport.ts";
import type { TwilioApi, TwilioCall } from "./twilio-api.ts";

const ASKED_AT_ONCE = 10;

/**
 * Twilio stores no id of ours with a call, except in its requests to us: their addresses contain our callId.
 * A call without a request yet is unnamed, as is one of another program on the same account.
 */
export async function callsOfTwilio(api: TwilioApi, publicUrl: string, since: Instant): Promise<CallsSince> {
  try {
    const listed = await api.callsSince(new Date(millisOf(since)));
    const recent = listed.filter(({ dateCreated }) => dateCreated.getTime() >= millisOf(since));
    const found: Found[] = [];
    for (let next = 0; next < recent.length; next += ASKED_AT_ONCE) {
      const asked = recent.slice(next, next + ASKED_AT_ONCE);
      const named = await Promise.all(asked.map((call) => ourName(api, publicUrl, call)));
      found.push(...named.filter((call) => call !== null));
    }
    found.sort((one, other) => one.call.at.localeCompare(other.call.at));
    return {
      kind: "calls",
      calls: found.flatMap(({ callId, call: { from, to, at } }) =>
        callId === null ? [] : [{ callId, from, to, at }],
      ),
      unnamed: found.flatMap(({ callId, call }) => (callId === null ? [call] : [])),
    };
  } catch (error) {
    const refusal = refusalOf(error);
    return {
      kind: "unavailable",
      cause: refusal === null ? codeOf(error) : `Twilio answered ${refusal.status}`,
    };
  }
}

type Found = { readonly callId: CallId | null; readonly call: UnnamedCall };

/** null: not an outbound API call between two numbers. */
async function ourName(
  api: TwilioApi,
  publicUrl: string,
  { sid, from, to, direction, dateCreated }: TwilioCall,
): Promise<Found | null> {
  if (direction !== "outbound-api") return null;
  const numbers = { from: parsePhoneNumber(from), to: parsePhoneNumber(to) };
  if (!numbers.from.ok || !numbers.to.ok) return null;
  const callId = callIdIn(await api.requestsOf(sid), publicUrl);
  const at = instantFromMillis(dateCreated.getTime());
  return { callId, call: { from: numbers.from.value, to: numbers.to.value, at, carrierRef: sid } };
}

function callIdIn(text: string, publicUrl: string): CallId | null {
  const root = `${publicUrl}/carrier/twilio/`;
  const from = text.indexOf(root);
  if (from === -1) return null;
  const [callId] = /^call_[\w-]{1,64}/.exec(text.slice(from + root.length)) ?? [];
  return callId === undefined ? null : (callId as CallId);
}
