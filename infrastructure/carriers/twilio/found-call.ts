import type { LookupResult } from "../../../application/ports/carrier.ts";
import { instantFromMillis } from "../../../domain/shared/instant.ts";
import { answeredByOf, endOfSecond, endOfStatus, talkedSeconds } from "./call-status.ts";
import type { TwilioCall } from "./twilio-api.ts";

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
