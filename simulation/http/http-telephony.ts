import { Pool } from "undici";
import type {
  CallsSince,
  Carrier,
  CarrierCall,
  CarrierRecording,
  HangUpResult,
  LookupResult,
  PlaceCall,
  PlaceCallResult,
} from "../../application/ports/carrier.ts";
import type { Clock } from "../../application/ports/clock.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { SIMULATED_ABILITIES } from "../carrier/simulated-carrier.ts";
import {
  askJournal,
  codeOf,
  GIVE_UP_MILLIS,
  journalIn,
  journalOf,
  type Line,
  request,
  UNNAMED_JOURNAL,
} from "./carrier-line.ts";
import {
  callsSinceSchema,
  hangUpSchema,
  INSTALLATION_HEADER,
  JOURNAL_HEADER,
  lookupSchema,
  placementSchema,
  rejectionSchema,
} from "./carrier-schemas.ts";
import { tokenHeaders } from "./carrier-token.ts";

const CONNECT_MILLIS = 3_000;
/** The carrier reads its whole journal to list the calls of an installation. */
const CALLS_GIVE_UP_MILLIS = 60_000;
const REFUSES_GIVE_UP_MILLIS = 5_000;
const AWAY = "The simulated carrier does not answer";
const TOKEN_REFUSED = "The carrier does not take SIMULATOR_TOKEN";
/** Errors that occur before a byte of the request is sent: certainly not dialled. */
const NOTHING_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EHOSTUNREACH", "UND_ERR_CONNECT_TIMEOUT"]);

export interface HttpTelephony extends Carrier {
  /**
   * Registers the callback address at the carrier, with the secret for signatures; the latest registration is
   * used for old calls as well.
   */
  register(callbackUrl: string, secret: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * The carrier program over HTTP. Every failure is a value: the caller decides by it whether the
 * person may have been rung.
 */
export function createHttpTelephony({
  url,
  clock,
  installation,
  token,
}: {
  readonly url: string;
  readonly clock: Clock;
  /** Sent with each dial. */
  readonly installation: string;
  /** SIMULATOR_TOKEN; null: the carrier needs none. */
  readonly token: string | null;
}): HttpTelephony {
  const pool = new Pool(new URL(url).origin, {
    connect: { timeout: CONNECT_MILLIS },
    headersTimeout: CALLS_GIVE_UP_MILLIS,
    bodyTimeout: GIVE_UP_MILLIS,
  });
  const line: Line = { pool, clock, headers: tokenHeaders(token), installation, journal: null };
  let isAway = false;
  return {
    kind: "simulated",
    can: SIMULATED_ABILITIES,
    instance: () => journalOf(line),
    placeCall: (call, sendBy) => placeCall(line, call, sendBy),
    hangUp: (call) => hangUp(line, call),
    lookup: (call) => lookup(line, call),
    callsSince: (since) => callsSince(line, since),
    recording: (ref) => fetchRecording(line, ref),
    deleteRecording: (ref) => deleteRecording(line, ref),
    available: async () => (await askJournal(line)) !== null,
    // Asked once more where the last registration failed: it may have come back since.
    refuses: async () => (isAway && (await askJournal(line, REFUSES_GIVE_UP_MILLIS)) === null ? AWAY : null),
    register: async (callbackUrl, secret) => {
      const body = JSON.stringify({ url: callbackUrl, secret });
      const registering = request(line, { method: "PUT", path: "/callbacks", body });
      const { status, body: answered } = await registering.catch((error: unknown) => {
        isAway = true;
        throw error;
      });
      isAway = status !== 200;
      if (status !== 200) throw new Error(`The carrier refused the callback address with ${status}`);
      line.journal = journalIn(answered);
    },
    close: () => pool.destroy(),
  };
}

/**
 * Sent last of all: if opening the connection took too long, the request is cut off and the
 * carrier cannot act on it.
 */
async function* bodyUntil(clock: Clock, sendBy: number, text: string): AsyncGenerator<string> {
  if (clock.monotonicMillis() > sendBy) throw new Error("too late to send");
  yield text;
}

function journalQuery({ instance }: CarrierCall): string {
  return instance === null || instance === UNNAMED_JOURNAL
    ? ""
    : `?${new URLSearchParams({ journal: instance })}`;
}

async function placeCall(line: Line, call: PlaceCall, sendBy: number): Promise<PlaceCallResult> {
  try {
    const { status, body } = await request(line, {
      method: "POST",
      path: "/calls",
      headers: {
        [INSTALLATION_HEADER]: line.installation,
        ...(line.journal === null ? {} : { [JOURNAL_HEADER]: line.journal }),
      },
      body: bodyUntil(line.clock, sendBy, JSON.stringify(call)),
    });
    if (status === 401) return notTaken("401", TOKEN_REFUSED);
    if (status === 409) return anotherJournal(line);
    if (status === 201) return { kind: "accepted", ...placementSchema.parse(body) };
    if (status >= 400 && status < 500)
      return { kind: "rejected", ...rejectionSchema.parse(body), noAnswerAtAll: false };
    return { kind: "unknown", cause: `the carrier answered ${status}`, noAnswerAtAll: false };
  } catch (error) {
    const code = codeOf(error);
    if (!NOTHING_SENT.has(code)) return { kind: "unknown", cause: code, noAnswerAtAll: true };
    return notTaken(code, "The carrier cannot be reached");
  }
}

/**
 * The journal has changed since the dial was recorded: nobody was dialled, and the next dial asks
 * for the instance again.
 */
function anotherJournal(line: Line): PlaceCallResult {
  line.journal = null;
  return {
    ...notTaken("409", "Another carrier answers than the one that was to be dialled"),
    noAnswerAtAll: false,
  };
}

/** Certainly not dialled, and the next dial would fail as well. */
function notTaken(carrierCode: string, message: string) {
  return { kind: "rejected", endReason: "not_placed", carrierCode, message, noAnswerAtAll: true } as const;
}

async function hangUp(line: Line, call: CarrierCall): Promise<HangUpResult> {
  try {
    const { status, body } = await request(line, {
      method: "POST",
      path: `/calls/${encodeURIComponent(call.callId)}/hang-up${journalQuery(call)}`,
    });
    return status === 200 ? hangUpSchema.parse(body).result : "unknown";
  } catch {
    return "unknown";
  }
}

async function lookup(line: Line, call: CarrierCall): Promise<LookupResult> {
  try {
    const { status, body } = await request(line, {
      method: "GET",
      path: `/calls/${encodeURIComponent(call.callId)}${journalQuery(call)}`,
    });
    return status === 200
      ? lookupSchema.parse(body)
      : { kind: "unavailable", cause: `the carrier answered ${status}` };
  } catch (error) {
    return { kind: "unavailable", cause: codeOf(error) };
  }
}

async function callsSince(line: Line, since: Instant): Promise<CallsSince> {
  const query = new URLSearchParams({ installation: line.installation, since });
  try {
    const { status, body } = await request(line, {
      method: "GET",
      path: `/calls?${query}`,
      giveUpMillis: CALLS_GIVE_UP_MILLIS,
    });
    if (status === 200) return { kind: "calls", ...callsSinceSchema.parse(body) };
    return { kind: "unavailable", cause: status === 401 ? TOKEN_REFUSED : `the carrier answered ${status}` };
  } catch (error) {
    return { kind: "unavailable", cause: codeOf(error) };
  }
}

async function fetchRecording({ pool, headers }: Line, ref: string): Promise<CarrierRecording> {
  const path = `/recordings/${encodeURIComponent(ref)}`;
  try {
    const answer = await pool.request({ method: "GET", path, headers });
    const { statusCode, headers: reported, body } = answer;
    if (statusCode === 200)
      return { kind: "found", contentType: String(reported["content-type"] ?? "audio/wav"), bytes: body };
    await body.dump();
    if (statusCode === 404) return { kind: "absent" };
    return { kind: "unavailable", cause: `the carrier answered ${statusCode}` };
  } catch (error) {
    return { kind: "unavailable", cause: codeOf(error) };
  }
}

async function deleteRecording(line: Line, ref: string): Promise<"done" | "unavailable"> {
  const deleting = request(line, { method: "DELETE", path: `/recordings/${encodeURIComponent(ref)}` });
  return deleting.then(
    ({ status }) => (status === 204 || status === 404 ? "done" : "unavailable"),
    () => "unavailable",
  );
}
