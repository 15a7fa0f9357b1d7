import type { Clock } from "../../../../application/ports/clock.ts";
import type { EndReason } from "../../../../domain/call/end-reason.ts";
import { type Instant, instantFromMillis } from "../../../../domain/shared/instant.ts";
import type { AriClient } from "../ari/ari-client.ts";
import { carrierCodeOf, endReasonOf } from "../dial/end-reasons.ts";
import type { Note } from "../dial/note.ts";
import { readSettledNote } from "../dial/read-note.ts";
import type { Telling } from "./event-delivery.ts";
import type { Line } from "./line.ts";

/** How a channel ended. `cause`: Q.850; null: its end was not seen. */
export type ChannelEnd = { readonly cause: number | null; readonly at: Instant };

/** Dialplan code for a dial that was late and rang nobody. */
const REFUSED_LATE = 8;

export type EndingDeps = { readonly ari: AriClient; readonly clock: Clock };

/**
 * The end of a call from the dialplan's note. unread: Asterisk cannot be reached now. null: not known; a
 * look-up of the call finds what can be known.
 */
export async function endedTelling(
  deps: EndingDeps,
  line: Pick<Line, "callId" | "state" | "answeredAt" | "hungUp" | "recorded">,
  { cause, at }: ChannelEnd,
): Promise<Telling | "unread" | null> {
  const note = await readSettledNote(deps.ari, deps.clock, line.callId);
  const wasUp = line.state === "up";
  if (note === null && !line.hungUp) return "unread";
  if ((note === null || note === "none") && cause === null && !wasUp) return null;
  const end = note === null || note === "none" ? null : note.end;
  const talked = end?.talkedSeconds ?? null;
  const endReason = reasonOf(line, note, cause);
  return {
    type: "ended",
    dedupeKey: "ended",
    occurredAt: at,
    endReason,
    endedBy: endReason === "customer_ended" ? "customer" : null,
    answeredAt: line.answeredAt ?? (talked === null ? null : before(at, talked)),
    answeredBy: wasUp || talked !== null ? "unknown" : null,
    recordingExpected: line.recorded,
    carrierCode: end === null ? codeOf(cause) : carrierCodeOf(end),
  };
}

/** Asterisk itself stopped during the talk. */
export function lostTelling(
  { answeredAt, recorded }: Pick<Line, "answeredAt" | "recorded">,
  at: Instant,
): Telling {
  return {
    type: "ended",
    dedupeKey: "ended",
    occurredAt: at,
    endReason: "connection_lost",
    endedBy: null,
    answeredAt,
    answeredBy: "unknown",
    recordingExpected: recorded,
    carrierCode: null,
  };
}

function reasonOf(
  { state, hungUp }: Pick<Line, "state" | "hungUp">,
  note: Note | "none" | null,
  cause: number | null,
): EndReason {
  const wasUp = state === "up";
  if (hungUp) return wasUp ? "api_ended" : "canceled";
  if (note === null || note === "none" || note.end === null) {
    if (wasUp) return "connection_lost";
    return note === "none" && cause === REFUSED_LATE ? "not_placed" : "carrier_error";
  }
  const reason = endReasonOf(note.end, state === "ringing");
  // Answered while no events came: Asterisk released the line at once.
  return reason === "customer_ended" && !wasUp ? "connection_lost" : reason;
}

function before(at: Instant, seconds: number): Instant {
  return instantFromMillis(Date.parse(at) - seconds * 1_000);
}

function codeOf(cause: number | null): string | null {
  return cause === null || cause === 0 ? null : `Q.850 ${cause}`;
}
