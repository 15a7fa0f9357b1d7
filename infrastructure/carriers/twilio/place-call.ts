import type { PlaceCall, PlaceCallResult } from "../../../application/ports/carrier.ts";
import type { OpenTwilioOptions } from "../open-carrier-options.ts";
import type { CallbackAddresses } from "./callback-addresses.ts";
import { failedDial } from "./refusals.ts";
import type { NewCall, TwilioApi } from "./twilio-api.ts";
import { connectTwiml, type Spoken } from "./twiml.ts";

/** The longest ring time of Twilio. */
const LONGEST_RING_SECONDS = 600;
/** Added to the maximum duration: by then we have hung up ourselves. */
const TIME_LIMIT_MARGIN_SECONDS = 30;

type PlaceCallDeps = Pick<OpenTwilioOptions, "speakerOf"> & {
  readonly api: TwilioApi;
  readonly addresses: CallbackAddresses;
};

export async function placeCall(
  { api, addresses, speakerOf }: PlaceCallDeps,
  call: PlaceCall,
  sendBy: number,
): Promise<PlaceCallResult> {
  const speaker = await speakerOf(call.callId).catch(() => "unreadable" as const);
  if (speaker === "unreadable") return NOT_READ;
  try {
    const { sid } = await api.createCall(dialOf(addresses, call, speaker), sendBy);
    if (typeof sid === "string" && sid !== "") return { kind: "accepted", carrierRef: sid };
    return { kind: "unknown", cause: "Twilio named no call", noAnswerAtAll: false };
  } catch (error) {
    return failedDial(error);
  }
}

const NOT_READ: PlaceCallResult = {
  kind: "rejected",
  endReason: "not_placed",
  carrierCode: null,
  message: "The assistant of the call could not be read",
  noAnswerAtAll: false,
};

/** The TwiML is part of the request, so Twilio asks nothing at the answer. */
function dialOf(addresses: CallbackAddresses, call: PlaceCall, speaker: Spoken | null): NewCall {
  const { callId, recorded } = call;
  const recording = recorded ? recordingOf(addresses, call) : {};
  const withRecording = recorded ? { recorded: "1" } : {};
  return {
    to: call.to,
    from: call.from,
    twiml: connectTwiml(
      addresses.relay(callId, 0),
      addresses.callback(callId, "action", { again: "0", ...withRecording }),
      speaker,
    ),
    timeout: Math.min(call.ringTimeoutSeconds, LONGEST_RING_SECONDS),
    timeLimit: call.maxDurationSeconds + TIME_LIMIT_MARGIN_SECONDS,
    statusCallback: addresses.callback(callId, "status", withRecording),
    statusCallbackEvent: ["initiated", "ringing", "answered", "completed"],
    statusCallbackMethod: "POST",
    ...recording,
    ...machineDetectionOf(addresses, call),
  };
}

function recordingOf(addresses: CallbackAddresses, { callId }: PlaceCall) {
  return {
    record: true,
    recordingStatusCallback: addresses.callback(callId, "recording"),
    recordingStatusCallbackEvent: ["completed", "absent"],
    recordingStatusCallbackMethod: "POST",
  };
}

/** Always in parallel to the talk: nobody waits in silence for a verdict. */
function machineDetectionOf(addresses: CallbackAddresses, { callId, voicemailPolicy }: PlaceCall) {
  if (voicemailPolicy === "ignore") return {};
  return {
    machineDetection: voicemailPolicy === "leave_message" ? "DetectMessageEnd" : "Enable",
    asyncAmd: "true",
    asyncAmdStatusCallback: addresses.callback(callId, "machine"),
    asyncAmdStatusCallbackMethod: "POST",
  };
}
