import type { Twilio } from "twilio";
import type { TwilioSettings } from "../../../contract/connection-settings.ts";
import type { Transport, TransportAnswer } from "./transport.ts";

/** A call at Twilio, and the options of a new one: the SDK exports neither type. */
export type TwilioCall = Awaited<ReturnType<Twilio["calls"]["create"]>>;
export type NewCall = Parameters<Twilio["calls"]["create"]>[0];

const TWILIO = "https://api.twilio.com";
const LIST_PAGE = 1_000;

export type TwilioAccount = Pick<TwilioSettings, "accountSid" | "baseUrl"> & { readonly authToken: string };

export type Account = { readonly status: string; readonly date: string | null };

/**
 * Twilio's REST API through its SDK, with a transport that knows what was sent. Every method rejects as the
 * SDK does (RestException), or as the transport.
 */
export interface TwilioApi {
  createCall(params: NewCall, sendBy: number): Promise<TwilioCall>;
  call(sid: string): Promise<TwilioCall>;
  endCall(sid: string): Promise<void>;
  /** Calls that were queued or rang since then. */
  callsSince(since: Date): Promise<readonly TwilioCall[]>;
  /** Every request that Twilio stored for this call, as JSON. */
  requestsOf(callSid: string): Promise<string>;
  /** Ref of an available recording of this call; null: none. */
  recordingOf(callSid: string): Promise<string | null>;
  recordingMedia(ref: string): ReturnType<Transport["stream"]>;
  removeRecording(ref: string): Promise<void>;
  account(): Promise<Account>;
  ownedNumbers(limit: number): Promise<readonly string[]>;
}

type Seen = { sendBy: number | null; answer: TransportAnswer | null };

/** A refused request, with Twilio's Retry-After. */
export class RefusedWithPauseError extends Error {
  override readonly name = "RefusedWithPauseError";
  readonly retryAfterSeconds: number | null;
  constructor(refusal: unknown, retryAfterSeconds: number | null) {
    super("Twilio refused", { cause: refusal });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Loads the SDK (some 120 ms) only when Twilio is used. */
export async function openTwilioApi(settings: TwilioAccount, transport: Transport): Promise<TwilioApi> {
  const { default: sdk } = await import("twilio");
  const { accountSid, authToken } = settings;
  const base = new URL(settings.baseUrl ?? TWILIO);
  /** The SDK's hook for another transport; one for each request, because each has its own limit. */
  const clientOf = (seen: Seen): Twilio => {
    class Wire extends sdk.RequestClient {
      override request: InstanceType<typeof sdk.RequestClient>["request"] = async (options) => {
        const url = redirected(new URL(options.uri), base);
        for (const [name, value] of Object.entries(options.params ?? {}))
          url.searchParams.set(name, String(value));
        const answer = await transport.send({
          method: options.method.toUpperCase() as "GET",
          url,
          headers: {
            ...(options.headers as Record<string, string>),
            authorization: basicAuth(accountSid, authToken),
          },
          body: options.data === undefined ? null : formOf(options.data),
          sendBy: seen.sendBy,
        });
        seen.answer = answer;
        return { statusCode: answer.status, body: answer.text as never, headers: answer.headers };
      };
    }
    return sdk(accountSid, authToken, { httpClient: new Wire(), autoRetry: false, maxRetries: 0 });
  };
  const asking = () => clientOf({ sendBy: null, answer: null });
  return {
    createCall: async (params, sendBy) => {
      const seen: Seen = { sendBy, answer: null };
      try {
        return await clientOf(seen).calls.create(params);
      } catch (error) {
        if (seen.answer === null) throw error;
        throw new RefusedWithPauseError(error, secondsOf(seen.answer.headers["retry-after"]));
      }
    },
    call: (sid) => asking().calls(sid).fetch(),
    endCall: async (sid) => void (await asking().calls(sid).update({ status: "completed" })),
    callsSince: async (startTimeAfter) => {
      const begun = await asking().calls.list({ startTimeAfter, pageSize: LIST_PAGE });
      const queued = await asking().calls.list({ status: "queued", pageSize: LIST_PAGE });
      return [...new Map([...begun, ...queued].map((call) => [call.sid, call])).values()];
    },
    requestsOf: async (callSid) => {
      const events = await asking().calls(callSid).events.list({ limit: 20 });
      return events.map(({ request }) => JSON.stringify(request)).join("\n");
    },
    recordingOf: async (callSid) => {
      const recordings = await asking().calls(callSid).recordings.list({ limit: 5 });
      return recordings.find(({ status }) => status === "completed")?.sid ?? null;
    },
    recordingMedia: (ref) =>
      transport.stream(new URL(`/2010-04-01/Accounts/${accountSid}/Recordings/${ref}.wav`, base), {
        authorization: basicAuth(accountSid, authToken),
      }),
    removeRecording: async (ref) => void (await asking().recordings(ref).remove()),
    account: async () => {
      const seen: Seen = { sendBy: null, answer: null };
      const { status } = await clientOf(seen).api.v2010.accounts(accountSid).fetch();
      const date = seen.answer?.headers["date"];
      return { status, date: typeof date === "string" ? date : null };
    },
    ownedNumbers: async (limit) =>
      (await asking().incomingPhoneNumbers.list({ limit })).map(({ phoneNumber }) => phoneNumber),
  };
}

/** A replacement receives every request, whatever host the SDK meant. */
function redirected(url: URL, base: URL): URL {
  const target = new URL(base);
  target.pathname = `${base.pathname.replace(/\/+$/, "")}${url.pathname}`;
  target.search = url.search;
  return target;
}

function basicAuth(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

function formOf(data: unknown): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(data as Record<string, unknown>))
    for (const each of Array.isArray(value) ? value : [value]) form.append(name, String(each));
  return form.toString();
}

function secondsOf(header: string | string[] | undefined): number | null {
  const seconds = typeof header === "string" ? Number(header) : Number.NaN;
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}
