import type { EndReason } from "../../../../domain/call/end-reason.ts";
import type { NoteEnd } from "./note.ts";

/**
 * docs/asterisk.md has the same table; any 3xx is `carrier_error`, because nobody is called elsewhere. A
 * final SIP response takes precedence over the Q.850 cause, which Asterisk derives from it.
 */
const BY_SIP: Readonly<Record<number, EndReason>> = {
  486: "busy",
  600: "busy",
  480: "no_answer",
  487: "no_answer",
  603: "declined",
  607: "declined",
  608: "declined",
  404: "invalid_number",
  410: "invalid_number",
  484: "invalid_number",
  604: "invalid_number",
  408: "unreachable",
  401: "permission_denied",
  403: "permission_denied",
  407: "permission_denied",
  488: "carrier_error",
  500: "carrier_error",
  502: "carrier_error",
  503: "carrier_error",
  504: "carrier_error",
  606: "carrier_error",
};

const BY_CAUSE: Readonly<Record<number, EndReason>> = {
  17: "busy",
  18: "unreachable",
  19: "no_answer",
  21: "declined",
  1: "invalid_number",
  28: "invalid_number",
};

const NORMAL_CLEARING = 16;

/**
 * The end reason of a finished dial. An answered line that did not end with a hang-up was lost. `rang`:
 * ringing was reported.
 */
export function endReasonOf({ status, talkedSeconds, cause, sipCode }: NoteEnd, rang: boolean): EndReason {
  if (status === "ANSWER" || talkedSeconds !== null)
    return cause === NORMAL_CLEARING ? "customer_ended" : "connection_lost";
  if (status === "CANCEL") return "canceled";
  const code = sipCode !== null && sipCode >= 300 ? sipCode : null;
  if (rang && (code === 408 || cause === 18)) return "no_answer";
  if (code !== null && code < 400) return "carrier_error";
  const reported = code === null ? undefined : BY_SIP[code];
  if (reported !== undefined) return reported;
  if (status === "NOANSWER") return "no_answer";
  return (cause === null ? undefined : BY_CAUSE[cause]) ?? "carrier_error";
}

const USER_BUSY = 17;

/** For the record: the trunk's own response, else Asterisk's cause. */
export function carrierCodeOf({ status, sipCode, cause }: NoteEnd): string | null {
  if (sipCode !== null && sipCode >= 300) return String(sipCode);
  // Dial says so of a redirection that it does not follow; the dialplan was too early for the code.
  if (status === "BUSY" && cause !== USER_BUSY) return "3xx";
  return cause === null || cause === 0 ? null : `Q.850 ${cause}`;
}
