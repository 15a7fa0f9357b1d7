import type { PlaceCall, PlaceCallResult } from "../../../../application/ports/carrier.ts";
import { millisOf } from "../../../../domain/shared/instant.ts";
import type { AriAnswer, AriClient } from "../ari/ari-client.ts";

/** Asterisk gives up this much later than its dialplan, which knows the reason better. */
const RING_GRACE_SECONDS = 5;
/** A call without a process ends this long after its longest duration. */
const ABANDONED_SECONDS = 60;
const RETRY_MILLIS = 1_000;

export type Dialling = {
  readonly ari: Pick<AriClient, "request">;
  readonly context: string;
  readonly app: string;
};

/**
 * One request. The dialplan refuses a second one for the same call, and one that is late (docs/asterisk.md).
 */
export async function dial(
  { ari, context, app }: Dialling,
  call: PlaceCall,
  sendBy: number,
): Promise<PlaceCallResult> {
  const { callId, to, from, ringTimeoutSeconds: ring } = call;
  const answer = await ari.request({
    method: "POST",
    path: "/channels",
    query: {
      endpoint: `Local/${to}@${context}/n`,
      channelId: callId,
      otherChannelId: `${callId}-2`,
      app,
      appArgs: callId,
      timeout: String(ring + RING_GRACE_SECONDS),
      callerId: from,
      // As the media socket and most trunks. By default Asterisk would convert to linear audio and back,
      // which took three quarters of its processor time.
      formats: "ulaw",
    },
    body: {
      variables: {
        RF_CALL: callId,
        RF_APP: app,
        RF_RECORD: call.recorded ? "1" : "",
        RF_DIAL_BY: String(Math.floor(millisOf(call.dialBy) / 1_000)),
        RF_RING: String(ring),
        "TIMEOUT(absolute)": String(ring + call.maxDurationSeconds + ABANDONED_SECONDS),
      },
    },
    sendBy,
  });
  return resultOf(answer, callId);
}

function resultOf(answer: AriAnswer, callId: string): PlaceCallResult {
  if (answer.kind === "failed") {
    if (answer.sent || answer.late)
      return { kind: "unknown", cause: answer.cause, noAnswerAtAll: !answer.late };
    return notPlaced(answer.cause, "Asterisk cannot be reached", true);
  }
  const { status } = answer;
  // 409: a channel with this id exists, which is this call.
  if (status === 200 || status === 409) return { kind: "accepted", carrierRef: callId };
  if (status === 429) return { kind: "throttled", retryAfterMillis: RETRY_MILLIS };
  if (status === 401 || status === 403)
    return notPlaced(String(status), "Asterisk refuses the user or the password", true);
  if (status >= 400 && status < 500)
    return {
      kind: "rejected",
      endReason: "carrier_error",
      carrierCode: String(status),
      message: `Asterisk refuses the dial with status ${status}`,
      noAnswerAtAll: false,
    };
  return { kind: "unknown", cause: `Asterisk answered ${status}`, noAnswerAtAll: false };
}

/** Certainly nobody was rung. */
export function notPlaced(
  carrierCode: string | null,
  message: string,
  noAnswerAtAll: boolean,
): PlaceCallResult {
  return { kind: "rejected", endReason: "not_placed", carrierCode, message, noAnswerAtAll };
}
