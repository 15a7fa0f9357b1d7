import { isIP } from "node:net";
import type { CarrierFinding } from "../../../application/ports/carrier.ts";
import type { Clock } from "../../../application/ports/clock.ts";
import type { TwilioSettings } from "../../../contract/connection-settings.ts";
import { BAD_CREDENTIALS, refusalOf } from "./refusals.ts";
import { codeOf, type Transport } from "./transport.ts";
import type { Account, TwilioApi } from "./twilio-api.ts";

type CheckDeps = {
  readonly settings: TwilioSettings;
  readonly publicUrl: string;
  readonly clock: Clock;
  readonly api: TwilioApi;
  readonly transport: Transport;
};

const SHOWN_NUMBERS = 5;
/** Twilio's timestamps use its own clock: if ours differs much, an end seems to come before its answer. */
const CLOCK_LIMIT_MILLIS = 10_000;

/** Asks Twilio for the account, its numbers and its time, and ourselves through PUBLIC_URL. */
export async function checkTwilio(deps: CheckDeps): Promise<readonly CarrierFinding[]> {
  const { api, clock } = deps;
  const reachable = publicUrlFinding(deps);
  try {
    const account = await api.account();
    return [
      found("reachable", true, "Twilio answers"),
      found("credentials", true, "Twilio takes the account SID and the auth token"),
      accountFinding(account),
      await numbersFinding(api),
      clockFinding(account, clock.nowMillis()),
      await reachable,
    ];
  } catch (error) {
    return [...failureFindings(error), await reachable];
  }
}

function found(name: string, ok: boolean, detail: string): CarrierFinding {
  return { name, ok, detail };
}

function failureFindings(error: unknown): readonly CarrierFinding[] {
  const refusal = refusalOf(error);
  if (refusal === null) {
    const detail = `Twilio cannot be reached (${codeOf(error)}): is the way out of this machine open?`;
    return [found("reachable", false, detail)];
  }
  const reachable = found("reachable", true, "Twilio answers");
  if (refusal.status === 401 || refusal.status === 404 || refusal.code === BAD_CREDENTIALS) {
    const detail =
      "Twilio does not take the account SID and auth token together: copy both from the Console, without spaces";
    return [reachable, found("credentials", false, detail)];
  }
  return [reachable, found("credentials", false, `Twilio refused the account with status ${refusal.status}`)];
}

function accountFinding({ status }: Account): CarrierFinding {
  return status === "active"
    ? found("account", true, "The account is active")
    : found("account", false, `The account is ${status}: Twilio dials for active accounts only`);
}

async function numbersFinding(api: TwilioApi): Promise<CarrierFinding> {
  const numbers = await api.ownedNumbers(SHOWN_NUMBERS + 1).catch(() => null);
  if (numbers === null) return found("numbers", false, "Twilio does not tell the numbers of the account");
  if (numbers.length === 0) {
    const detail = "The account owns no telephone number: buy one, or calls are refused with 21210 or 21212";
    return found("numbers", false, detail);
  }
  const more = numbers.length > SHOWN_NUMBERS ? " and more" : "";
  return found("numbers", true, `The account owns ${numbers.slice(0, SHOWN_NUMBERS).join(", ")}${more}`);
}

function clockFinding({ date }: Account, nowMillis: number): CarrierFinding {
  const theirs = Date.parse(date ?? "");
  if (Number.isNaN(theirs)) return found("clock", true, "Twilio did not tell its time");
  const millis = Math.round((nowMillis - theirs) / 1_000) * 1_000;
  if (Math.abs(millis) <= CLOCK_LIMIT_MILLIS) return found("clock", true, "The clocks agree within 10 s");
  const detail = `The clock of this machine is ${Math.abs(millis / 1_000)} s ${millis > 0 ? "ahead of" : "behind"} Twilio's: set it by NTP`;
  return found("clock", false, detail);
}

async function publicUrlFinding({ settings, publicUrl, transport }: CheckDeps): Promise<CarrierFinding> {
  const name = "public_url";
  const { protocol, hostname } = new URL(publicUrl);
  // A replacement of Twilio runs on our side.
  if (settings.baseUrl === null && protocol !== "https:") {
    const detail = `PUBLIC_URL is ${publicUrl}: Twilio's relay opens wss:// only, so it has to be https://`;
    return found(name, false, detail);
  }
  if (settings.baseUrl === null && isPrivate(hostname))
    return found(name, false, `PUBLIC_URL is ${publicUrl}: Twilio cannot reach a private address`);
  try {
    const url = new URL(`${publicUrl}/health/live`);
    const { status } = await transport.send({ method: "GET", url, headers: {}, body: null, sendBy: null });
    if (status === 200) return found(name, true, `This service answers at ${publicUrl}`);
    const detail = `PUBLIC_URL (${publicUrl}) answers ${status} to /health/live: it leads to something else`;
    return found(name, false, detail);
  } catch (error) {
    const detail = `PUBLIC_URL (${publicUrl}) cannot be reached from here (${codeOf(error)}); if that is meant to be so, look whether callbacks arrive`;
    return found(name, false, detail);
  }
}

function isPrivate(hostname: string): boolean {
  if (hostname === "localhost" || hostname.endsWith(".local") || hostname.endsWith(".internal")) return true;
  if (isIP(hostname) === 4) return /^(10|127|0|169\.254|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(hostname);
  return hostname.startsWith("[");
}
