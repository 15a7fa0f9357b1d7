import type { EndReason } from "../../../domain/call/end-reason.ts";
import type { AnsweredBy, EndedBy } from "../../../domain/call/events.ts";
import { type Instant, instantFromMillis } from "../../../domain/shared/instant.ts";

/** How a call ended, from Twilio's status and its SIP response if there is one. null: it has not. */
export function endOfStatus(
  status: string,
  sipCode: string | null,
): { readonly endReason: EndReason; readonly endedBy: EndedBy | null } | null {
  switch (status) {
    // It does not say who ended it: without a request of ours it was the customer.
    case "completed":
      return { endReason: "customer_ended", endedBy: "customer" };
    case "busy":
      return { endReason: "busy", endedBy: "system" };
    case "no-answer":
      return DECLINED.has(sipCode ?? "")
        ? { endReason: "declined", endedBy: "customer" }
        : { endReason: "no_answer", endedBy: "system" };
    case "failed":
      return {
        endReason: (sipCode === null ? undefined : SIP_ENDS[sipCode]) ?? "carrier_error",
        endedBy: null,
      };
    // After our request, the end reason is that of the request.
    case "canceled":
      return { endReason: "carrier_error", endedBy: null };
    default:
      return null;
  }
}

const DECLINED = new Set(["603", "607", "608"]);

/** Why the other side refused a failed call (docs/twilio.md). */
const SIP_ENDS: Readonly<Record<string, EndReason>> = {
  401: "permission_denied",
  403: "permission_denied",
  404: "invalid_number",
  407: "permission_denied",
  408: "unreachable",
  410: "invalid_number",
  480: "no_answer",
  484: "invalid_number",
  486: "busy",
  487: "no_answer",
  600: "busy",
  603: "declined",
  604: "invalid_number",
  607: "declined",
  608: "declined",
};

export function answeredByOf(text: string | null | undefined): AnsweredBy {
  if (text === "human") return "human";
  return text?.startsWith("machine_") === true || text === "fax" ? "machine" : "unknown";
}

/**
 * Twilio reports whole seconds: the last moment of that second is used, so that our events
 * within it come first.
 */
export function endOfSecond(moment: Date, nowMillis: number): Instant {
  return instantFromMillis(Math.min(Math.floor(moment.getTime() / 1_000) * 1_000 + 999, nowMillis));
}

/** No call lasts longer; what says so is no duration. */
const LONGEST_CALL_SECONDS = 7 * 86_400;

/** Twilio's duration of a call, in whole seconds; 0: it tells none. */
export function talkedSeconds(duration: string | null | undefined): number {
  const seconds = Number(duration ?? 0);
  return seconds >= 0 && seconds <= LONGEST_CALL_SECONDS ? seconds : 0;
}
