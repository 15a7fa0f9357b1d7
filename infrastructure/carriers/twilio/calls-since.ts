import type { CallsSince } from "../../../application/ports/carrier.ts";
import type { CallOfTheCarrier } from "../../../domain/campaign/commands.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { type Instant, instantFromMillis, millisOf } from "../../../domain/shared/instant.ts";
import { parsePhoneNumber } from "../../../domain/shared/phone-number.ts";
import { refusalOf } from "./refusals.ts";
import { codeOf } from "./transport.ts";
import type { TwilioApi, TwilioCall } from "./twilio-api.ts";

const ASKED_AT_ONCE = 10;

/**
 * Twilio keeps no name of ours with a call, but what it asked of us: the addresses of this service with our callId in them. Calls of the same
 * account that know no such address are somebody else's.
 */
export async function callsOfTwilio(api: TwilioApi, publicUrl: string, since: Instant): Promise<CallsSince> {
  try {
    const listed = await api.callsSince(new Date(millisOf(since)));
    const recent = listed.filter(({ dateCreated }) => dateCreated.getTime() >= millisOf(since));
    const calls: CallOfTheCarrier[] = [];
    for (let next = 0; next < recent.length; next += ASKED_AT_ONCE) {
      const asked = recent.slice(next, next + ASKED_AT_ONCE);
      const named = await Promise.all(asked.map((call) => ourName(api, publicUrl, call)));
      calls.push(...named.filter((call) => call !== null));
    }
    return { kind: "calls", calls: calls.toSorted((one, other) => one.at.localeCompare(other.at)) };
  } catch (error) {
    const refusal = refusalOf(error);
    return {
      kind: "unavailable",
      cause: refusal === null ? codeOf(error) : `Twilio answered ${refusal.status}`,
    };
  }
}

async function ourName(
  api: TwilioApi,
  publicUrl: string,
  { sid, from, to, dateCreated }: TwilioCall,
): Promise<CallOfTheCarrier | null> {
  const numbers = { from: parsePhoneNumber(from), to: parsePhoneNumber(to) };
  if (!numbers.from.ok || !numbers.to.ok) return null;
  const callId = callIdIn(await api.requestsOf(sid), publicUrl);
  if (callId === null) return null;
  const at = instantFromMillis(dateCreated.getTime());
  return { callId, from: numbers.from.value, to: numbers.to.value, at };
}

function callIdIn(text: string, publicUrl: string): CallId | null {
  const root = `${publicUrl}/carrier/twilio/`;
  const from = text.indexOf(root);
  if (from === -1) return null;
  const [callId] = /^call_[\w-]{1,64}/.exec(text.slice(from + root.length)) ?? [];
  return callId === undefined ? null : (callId as CallId);
}
