import webhooks from "twilio/lib/webhooks/webhooks.js";
import { request } from "undici";
import type { Clock } from "../../application/ports/clock.ts";
import type { FakeCall } from "./fake-call.ts";
import type { Faults } from "./faults.ts";

const ATTEMPT_MILLIS = 15_000;
const FIRST_PAUSE_MILLIS = 200;
const LATE_MILLIS = 3_000;

export type CallbacksDeps = {
  readonly clock: Clock;
  readonly account: { readonly accountSid: string; readonly authToken: string };
  readonly faults: Faults;
  readonly random: () => number;
  readonly stop: AbortSignal;
};

export type Parameters = Readonly<Record<string, string>>;

/**
 * Requests of the fake to the service: signed as Twilio signs, and repeated as the address says (`#rc=5`).
 */
export interface Callbacks {
  /** Sends without waiting: duplicates, delays and losses are random. */
  tell(call: FakeCall, address: string, parameters: Parameters): void;
  /** Asks for TwiML; null: no answer had any. */
  ask(call: FakeCall, address: string, parameters: Parameters): Promise<string | null>;
  /** Everything sent has been accepted or given up. */
  settled(): Promise<void>;
}

export function createCallbacks(deps: CallbacksDeps): Callbacks {
  const { clock, account, faults, random, stop } = deps;
  const under = new Set<Promise<unknown>>();
  const post = async (call: FakeCall, address: string, given: Parameters, after: number) => {
    if (after > 0) await clock.sleep(after, stop);
    const [url = "", fragment = ""] = address.split("#");
    const parameters = { CallSid: call.sid, AccountSid: account.accountSid, ...given };
    call.requests.push({ url, parameters });
    return posted(deps, url, parameters, Number(/\brc=(\d)/.exec(fragment)?.[1] ?? 1));
  };
  const begin = (work: Promise<unknown>) => {
    const done = work.catch(() => undefined).finally(() => under.delete(done));
    under.add(done);
  };
  return {
    tell: (call, address, parameters) => {
      if (faults.strikes("callbackLost")) return;
      const late = faults.strikes("callbackLate") ? random() * LATE_MILLIS : 0;
      begin(post(call, address, parameters, late));
      if (faults.strikes("callbackTwice"))
        begin(post(call, address, parameters, late + random() * LATE_MILLIS));
    },
    ask: (call, address, parameters) => post(call, address, parameters, 0),
    settled: async () => void (await Promise.all(under)),
  };
}

/** The body of the first answer that is a 2xx. */
async function posted(
  { clock, account, stop }: CallbacksDeps,
  url: string,
  parameters: Parameters,
  again: number,
): Promise<string | null> {
  const signature = webhooks.getExpectedTwilioSignature(account.authToken, url, { ...parameters });
  for (let attempt = 0; attempt <= again && !stop.aborted; attempt += 1) {
    if (attempt > 0) await clock.sleep(FIRST_PAUSE_MILLIS * 2 ** (attempt - 1), stop);
    try {
      const answer = await request(url, {
        method: "POST",
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          "x-twilio-signature": signature,
          "user-agent": "TwilioProxy/1.1",
        },
        body: new URLSearchParams(parameters).toString(),
        signal: AbortSignal.any([stop, AbortSignal.timeout(ATTEMPT_MILLIS)]),
      });
      const text = await answer.body.text();
      if (answer.statusCode >= 200 && answer.statusCode < 300) return text;
    } catch {
      // Repeated below.
    }
  }
  return null;
}
