import { type Dispatcher, Pool } from "undici";
import type { Clock } from "../../../application/ports/clock.ts";
import type {
  HangUpResult,
  LookupResult,
  PlaceCall,
  PlaceCallResult,
  Telephony,
} from "../../../application/ports/telephony.ts";
import { hangUpSchema, lookupSchema, placementSchema, rejectionSchema } from "./carrier-schemas.ts";

const GIVE_UP_MS = 10_000;
const CONNECT_MS = 3_000;
/** Errors that come before a byte of the request has left: certainly not dialled. */
const NOTHING_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EHOSTUNREACH", "UND_ERR_CONNECT_TIMEOUT"]);

export interface HttpTelephony extends Telephony {
  /** Tells the carrier where its callbacks go and the secret to sign them with; the newest registration wins, for old calls too. */
  register(callbackUrl: string, secret: string): Promise<void>;
  close(): Promise<void>;
}

/** The carrier program over HTTP. Every failure is a value: who dials decides by it whether the person may have been rung. */
export function createHttpTelephony({
  url,
  clock,
}: {
  readonly url: string;
  readonly clock: Clock;
}): HttpTelephony {
  const pool = new Pool(new URL(url).origin, {
    connect: { timeout: CONNECT_MS },
    headersTimeout: GIVE_UP_MS,
    bodyTimeout: GIVE_UP_MS,
  });
  return {
    name: "simulated",
    placeCall: (call, sendBy) => placeCall(pool, clock, call, sendBy),
    hangUp: ({ callId }) => hangUp(pool, callId),
    lookup: ({ callId }) => lookup(pool, callId),
    available: () =>
      request(pool, { method: "GET", path: "/health" }).then(
        ({ status }) => status === 200,
        () => false,
      ),
    register: async (callbackUrl, secret) => {
      const { status } = await request(pool, {
        method: "PUT",
        path: "/callbacks",
        body: JSON.stringify({ url: callbackUrl, secret }),
      });
      if (status !== 200) throw new Error(`The carrier refused the callback address with ${status}`);
    },
    close: () => pool.destroy(),
  };
}

type Answer = { readonly status: number; readonly body: unknown };
type Request = {
  readonly method: Dispatcher.HttpMethod;
  readonly path: string;
  readonly body?: string | AsyncIterable<string>;
};

async function request(pool: Pool, { method, path, body }: Request): Promise<Answer> {
  const headers = body === undefined ? {} : { "content-type": "application/json" };
  const sent = { method, path, headers, body: body ?? null, signal: AbortSignal.timeout(GIVE_UP_MS) };
  const answer = await pool.request(sent as Dispatcher.RequestOptions);
  const text = await answer.body.text();
  return { status: answer.statusCode, body: text === "" ? null : JSON.parse(text) };
}

/** Sent as the very last thing: when the connection took too long to make, the request breaks off and is nothing the carrier can act on. */
async function* bodyUntil(clock: Clock, sendBy: number, text: string): AsyncGenerator<string> {
  if (clock.monotonicMillis() > sendBy) throw new Error("too late to send");
  yield text;
}

async function placeCall(
  pool: Pool,
  clock: Clock,
  call: PlaceCall,
  sendBy: number,
): Promise<PlaceCallResult> {
  try {
    const { status, body } = await request(pool, {
      method: "POST",
      path: "/calls",
      body: bodyUntil(clock, sendBy, JSON.stringify(call)),
    });
    if (status === 201) return { kind: "accepted", ...placementSchema.parse(body) };
    if (status >= 400 && status < 500)
      return { kind: "rejected", ...rejectionSchema.parse(body), noAnswerAtAll: false };
    return { kind: "unknown", cause: `the carrier answered ${status}`, noAnswerAtAll: false };
  } catch (error) {
    const code = codeOf(error);
    if (!NOTHING_SENT.has(code)) return { kind: "unknown", cause: code, noAnswerAtAll: true };
    return {
      kind: "rejected",
      endReason: "not_placed",
      carrierCode: code,
      message: "The carrier cannot be reached",
      noAnswerAtAll: true,
    };
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}

async function hangUp(pool: Pool, callId: string): Promise<HangUpResult> {
  try {
    const { status, body } = await request(pool, {
      method: "POST",
      path: `/calls/${encodeURIComponent(callId)}/hang-up`,
    });
    return status === 200 ? hangUpSchema.parse(body).result : "unknown";
  } catch {
    return "unknown";
  }
}

async function lookup(pool: Pool, callId: string): Promise<LookupResult> {
  try {
    const { status, body } = await request(pool, {
      method: "GET",
      path: `/calls/${encodeURIComponent(callId)}`,
    });
    return status === 200
      ? lookupSchema.parse(body)
      : { kind: "unavailable", cause: `the carrier answered ${status}` };
  } catch (error) {
    return { kind: "unavailable", cause: codeOf(error) };
  }
}
