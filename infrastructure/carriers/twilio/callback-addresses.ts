import { createHmac, timingSafeEqual } from "node:crypto";
import type { CallId } from "../../../domain/shared/ids.ts";

export type CallbackKind = "status" | "recording" | "machine" | "action";

const ROOT = "/carrier/twilio/:callId";
export const RELAY_PATH = `${ROOT}/relay`;

export function callbackPath(kind: CallbackKind): string {
  return `${ROOT}/${kind}`;
}

/**
 * Twilio repeats a callback five times, after any failure, each for at most 15 s. Not part of what it signs.
 */
const AGAIN = "#rc=5&rp=all&tt=15000";

export type CallbackAddresses = {
  readonly callback: (callId: CallId, kind: CallbackKind, query?: Readonly<Record<string, string>>) => string;
  /** `session`: how many sessions of this call have begun before. */
  readonly relay: (callId: CallId, session: number) => string;
  readonly isRelayToken: (callId: CallId, session: number, token: string) => boolean;
};

/**
 * Every address contains our callId, so Twilio's call is bound to ours with certainty, also when the reply
 * to the dial was lost.
 */
export function createCallbackAddresses(publicUrl: () => string, authToken: string): CallbackAddresses {
  const address = (base: string, callId: CallId, what: string, query: Readonly<Record<string, string>>) => {
    const text = new URLSearchParams(query).toString();
    return `${base}${ROOT.replace(":callId", callId)}/${what}${text === "" ? "" : `?${text}`}${AGAIN}`;
  };
  const tokenOf = (callId: CallId, session: number) =>
    createHmac("sha256", authToken).update(`relay/${callId}/${session}`).digest("base64url");
  return {
    callback: (callId, kind, query = {}) => address(publicUrl(), callId, kind, query),
    relay: (callId, session) =>
      address(webSocketUrl(publicUrl()), callId, "relay", { token: tokenOf(callId, session) }),
    isRelayToken: (callId, session, token) => {
      const [expected, given] = [Buffer.from(tokenOf(callId, session)), Buffer.from(token)];
      return expected.length === given.length && timingSafeEqual(expected, given);
    },
  };
}

/** https becomes wss. */
export function webSocketUrl(url: string): string {
  return url.replace(/^http/, "ws");
}

export function callIdOf(params: Readonly<Record<string, string>>): CallId | null {
  const { callId } = params;
  return callId !== undefined && isCallId(callId) ? callId : null;
}

function isCallId(text: string): text is CallId {
  return /^call_[\w-]{1,64}$/.test(text);
}
