import { PHONE_LINE } from "../../domain/call/carrier-identity.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { instantFromMillis } from "../../domain/shared/instant.ts";
import type {
  Carrier,
  CarrierAbilities,
  HangUpResult,
  LookupResult,
  PlaceCall,
  PlaceCallResult,
} from "../ports/carrier.ts";
import type { Clock } from "../ports/clock.ts";
import type { PhoneCall, PhoneRows } from "../ports/phone-rows.ts";

export type PhoneTelephonyDeps = {
  readonly rows: PhoneRows;
  readonly clock: Clock;
  /** The call rings, here and in other processes, until it ends or is taken. */
  readonly ring: (call: PlaceCall) => void;
  /** We ended it: phones and session are informed. */
  readonly hungUp: (call: PhoneCall) => void;
};

const PREFIX = "phone_";
/** The rows of this installation's database: there is only one phone line. */
const PHONE_INSTANCE = "phone";
const PHONE_ABILITIES: CarrierAbilities = {
  dialOnceForMillis: Number.POSITIVE_INFINITY,
  answersMachineVerdict: false,
  records: false,
  resumes: true,
  callsPerSecond: null,
};

/** The phone line as a carrier: its calls are rows, so any process can answer for them. */
export function phoneTelephony(deps: PhoneTelephonyDeps): Carrier {
  const { rows } = deps;
  return {
    kind: "phone",
    can: PHONE_ABILITIES,
    instance: async () => PHONE_INSTANCE,
    recording: async () => ({ kind: "absent" }),
    deleteRecording: async () => "done",
    placeCall: (call, sendBy) => place(deps, call, sendBy),
    hangUp: async ({ callId }): Promise<HangUpResult> => {
      const ended = await rows.end(callId, "api_ended", "api").catch(() => undefined);
      if (ended === undefined) return "unknown";
      if (ended !== null) deps.hungUp(ended);
      return ended === null ? "already_ended" : "done";
    },
    lookup: async ({ callId }) => {
      try {
        const call = await rows.find(callId);
        return call === null ? { kind: "absent" } : foundCall(call);
      } catch (error) {
        return { kind: "unavailable", cause: String(error) };
      }
    },
    callsSince: async () => ({ kind: "no_witness" }),
    available: async () => true,
    refuses: async () => null,
  };
}

async function place(
  { rows, clock, ring }: PhoneTelephonyDeps,
  call: PlaceCall,
  sendBy: number,
): Promise<PlaceCallResult> {
  if (clock.monotonicMillis() > sendBy)
    return { kind: "unknown", cause: "too late to ring", noAnswerAtAll: false };
  try {
    const placed = await rows.place({ ...call, ringSeconds: call.ringTimeoutSeconds });
    if (placed === "no_phone") return NO_PHONE;
    if (placed === "ringing") ring(call);
    return { kind: "accepted", carrierRef: refOf(call.callId) };
  } catch (error) {
    return { kind: "unknown", cause: String(error), noAnswerAtAll: false };
  }
}

const NO_PHONE: PlaceCallResult = {
  kind: "rejected",
  endReason: "unreachable",
  carrierCode: null,
  message: "None of the owner's phones is open",
  noAnswerAtAll: false,
};

export function refOf(callId: CallId): string {
  return `${PREFIX}${callId.slice("call_".length)}`;
}

function foundCall(call: PhoneCall): LookupResult {
  const { callId, answeredAt, endedAt, rungOut, lost, ringUntil } = call;
  const over = endedAt !== null || rungOut || lost;
  const end = endedAt ?? (rungOut ? ringUntil : null);
  const impliedReason = rungOut ? ("no_answer" as const) : ("connection_lost" as const);
  return {
    kind: "found",
    carrierRef: refOf(callId),
    status: over ? "ended" : answeredAt === null ? "ringing" : "connected",
    endReason: over ? (call.endReason ?? impliedReason) : null,
    endedAt: end === null ? null : instantFromMillis(end.getTime()),
    answeredAt: answeredAt === null ? null : instantFromMillis(answeredAt.getTime()),
    answeredBy: answeredAt === null ? null : "human",
    endedBy: call.endedBy,
    recordingRef: null,
  };
}

/** Calls to the phone line ring at phones; all others go to the carrier. */
export function withPhoneLine(carrier: Carrier, phone: Carrier): Carrier {
  const isPhones = ({ carrierRef }: { readonly carrierRef: string | null }) =>
    carrierRef?.startsWith(PREFIX) === true;
  return {
    ...carrier,
    placeCall: (call, sendBy) => (call.to === PHONE_LINE ? phone : carrier).placeCall(call, sendBy),
    hangUp: async (call) => {
      if (isPhones(call)) return phone.hangUp(call);
      if (call.carrierRef !== null) return carrier.hangUp(call);
      // Nobody has taken it yet.
      const answers = await Promise.all([phone.hangUp(call), carrier.hangUp(call)]);
      return answers.find((answer) => answer !== "already_ended") ?? "already_ended";
    },
    lookup: async (call) => {
      if (isPhones(call)) return phone.lookup(call);
      if (call.carrierRef !== null) return carrier.lookup(call);
      const atPhones = await phone.lookup(call);
      return atPhones.kind === "absent" ? carrier.lookup(call) : atPhones;
    },
  };
}
