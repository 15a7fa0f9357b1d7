import type {
  Carrier,
  CarrierCall,
  CarrierRecording,
  HangUpResult,
  LookupResult,
} from "../../../application/ports/carrier.ts";
import type { Clock } from "../../../application/ports/clock.ts";
import type { TwilioSettings } from "../../../contract/connection-settings.ts";
import { instantFromMillis } from "../../../domain/shared/instant.ts";
import type { OpenTwilioOptions } from "../open-carrier-options.ts";
import { answeredByOf, endOfSecond, endOfStatus, talkedSeconds } from "./call-status.ts";
import type { CallbackAddresses } from "./callback-addresses.ts";
import { callsOfTwilio } from "./calls-since.ts";
import { placeCall } from "./place-call.ts";
import { ENDED_ALREADY, NOT_THERE, refusalOf } from "./refusals.ts";
import { codeOf } from "./transport.ts";
import type { TwilioApi, TwilioCall } from "./twilio-api.ts";

type TwilioCarrierDeps = {
  readonly settings: TwilioSettings;
  readonly publicUrl: () => string;
  readonly speakerOf: OpenTwilioOptions["speakerOf"];
  readonly clock: Clock;
  readonly api: TwilioApi;
  readonly addresses: CallbackAddresses;
};

/** Creating a call at Twilio is not idempotent: a dial with an unknown outcome is never repeated. */
export function createTwilioCarrier({
  settings,
  publicUrl,
  clock,
  api,
  addresses,
  speakerOf,
}: TwilioCarrierDeps): Carrier {
  const { accountSid, callsPerSecond } = settings;
  /** The SID of a call that was dialled on this account; null: unknown, or another account. */
  const sidOf = ({ instance, carrierRef }: CarrierCall) => (instance === accountSid ? carrierRef : null);
  return {
    kind: "twilio",
    can: {
      dialOnceForMillis: 0,
      answersMachineVerdict: true,
      records: true,
      resumes: true,
      callsPerSecond,
    },
    instance: async () => accountSid,
    placeCall: (call, sendBy) => placeCall({ api, addresses, speakerOf }, call, sendBy),
    hangUp: async (call) => hangUp(api, sidOf(call)),
    lookup: async (call) => lookup(api, clock, sidOf(call)),
    callsSince: (since) => callsOfTwilio(api, publicUrl(), since),
    recording: (ref) => recording(api, ref),
    deleteRecording: (ref) => deleteRecording(api, ref),
    available: () =>
      api.account().then(
        ({ status }) => status === "active",
        () => false,
      ),
    // There is no line that is open between dials: each dial asks.
    refuses: async () => null,
  };
}

async function hangUp(api: TwilioApi, sid: string | null): Promise<HangUpResult> {
  if (sid === null) return "unknown";
  try {
    await api.endCall(sid);
    return "done";
  } catch (error) {
    return refusalOf(error)?.code === ENDED_ALREADY ? "already_ended" : "unknown";
  }
}

/** A call that Twilio no longer has may have been rung: `absent` is never returned. */
async function lookup(api: TwilioApi, clock: Clock, sid: string | null): Promise<LookupResult> {
  if (sid === null) return { kind: "ambiguous" };
  try {
    const call = await api.call(sid);
    const sipCode = MAY_HAVE_CODE.has(call.status) ? await sipCodeOf(api, sid) : null;
    const recordingRef = call.status === "completed" ? await api.recordingOf(sid) : null;
    return foundCall(call, { recordingRef, sipCode }, clock.nowMillis());
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal?.code === NOT_THERE) return { kind: "ambiguous" };
    return {
      kind: "unavailable",
      cause: refusal === null ? codeOf(error) : `Twilio answered ${refusal.status}`,
    };
  }
}

/** For these the SIP response says more; Twilio sends it only with its callbacks. */
const MAY_HAVE_CODE: ReadonlySet<string> = new Set(["no-answer", "failed"]);

async function sipCodeOf(api: TwilioApi, sid: string): Promise<string | null> {
  const requests = await api.requestsOf(sid).catch(() => "");
  return /sip_?response_?code\W{1,6}(\d{3})\b/i.exec(requests)?.[1] ?? null;
}

/** Names from Twilio are used in paths of requests. */
function isRecordingSid(ref: string): boolean {
  return /^RE[0-9a-f]{32}$/.test(ref);
}

async function recording(api: TwilioApi, ref: string): Promise<CarrierRecording> {
  if (!isRecordingSid(ref)) return { kind: "absent" };
  try {
    const { statusCode, headers, body } = await api.recordingMedia(ref);
    if (statusCode === 200)
      return { kind: "found", contentType: String(headers["content-type"] ?? "audio/x-wav"), bytes: body };
    await body.dump();
    return statusCode === 404 || statusCode === 410
      ? { kind: "absent" }
      : { kind: "unavailable", cause: `Twilio answered ${statusCode}` };
  } catch (error) {
    return { kind: "unavailable", cause: codeOf(error) };
  }
}

async function deleteRecording(api: TwilioApi, ref: string): Promise<"done" | "unavailable"> {
  if (!isRecordingSid(ref)) return "done";
  try {
    await api.removeRecording(ref);
    return "done";
  } catch (error) {
    return refusalOf(error)?.status === 404 ? "done" : "unavailable";
  }
}

type Found = Extract<LookupResult, { kind: "found" }>;
type Asked = Pick<TwilioCall, "sid" | "status" | "startTime" | "endTime" | "duration" | "answeredBy">;

/** Twilio's record of a call as the answer to a look-up. */
export function foundCall(
  call: Asked,
  { recordingRef, sipCode }: { readonly recordingRef: string | null; readonly sipCode: string | null },
  nowMillis: number,
): Found {
  const end = endOfStatus(call.status, sipCode);
  const answeredAt = answeredMillis(call);
  return {
    kind: "found",
    carrierRef: call.sid,
    status: end !== null ? "ended" : call.status === "in-progress" ? "connected" : "ringing",
    endReason: end?.endReason ?? null,
    endedAt: end === null || !isMoment(call.endTime) ? null : endOfSecond(call.endTime, nowMillis),
    answeredAt: answeredAt === null ? null : instantFromMillis(answeredAt),
    answeredBy: answeredAt === null ? null : answeredByOf(call.answeredBy),
    endedBy: end?.endedBy ?? null,
    recordingRef,
  };
}

/** Its talk ended at endTime and took so many seconds; for a call in progress only the start is known. */
function answeredMillis({ status, startTime, endTime, duration }: Asked): number | null {
  if (status === "completed" && isMoment(endTime)) return endTime.getTime() - talkedSeconds(duration) * 1_000;
  return status === "in-progress" && isMoment(startTime) ? startTime.getTime() : null;
}

/** The SDK makes an invalid date of an empty one. */
function isMoment(date: Date | null | undefined): date is Date {
  return date instanceof Date && !Number.isNaN(date.getTime());
}
