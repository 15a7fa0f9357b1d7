import type { CarrierCall, LookupResult } from "../../../../application/ports/carrier.ts";
import type { Clock } from "../../../../application/ports/clock.ts";
import type { CallId } from "../../../../domain/shared/ids.ts";
import { instantFromMillis, millisOf } from "../../../../domain/shared/instant.ts";
import type { AriClient } from "../ari/ari-client.ts";
import { channelSchema } from "../ari/ari-schemas.ts";
import { readVariable } from "../ari/ari-variables.ts";
import { recordingName } from "../ari/recordings.ts";
import { KEPT_MILLIS } from "./dial-journal.ts";
import { endReasonOf } from "./end-reasons.ts";
import { endedName, type Note, type NoteEnd } from "./note.ts";
import { readSettledNote } from "./read-note.ts";

/** Nothing sent before `dialBy` can ring anybody this long after it. */
const SURELY_LATE_MILLIS = 5_000;
/**
 * Later than this a missing note may have been removed. Clocks differ, and a dial may begin
 * long before `dialBy`.
 */
const SURELY_NOTED_MILLIS = KEPT_MILLIS - 60 * 60_000;

export type Looking = {
  readonly ari: Pick<AriClient, "request">;
  readonly clock: Pick<Clock, "nowMillis" | "sleep">;
};

/** docs/asterisk.md says what a look-up proves. */
export async function lookUp({ ari, clock }: Looking, call: CarrierCall): Promise<LookupResult> {
  const before = await readVariable(ari, "RF_SINCE");
  if (before === null) return { kind: "unavailable", cause: "Asterisk cannot be asked" };
  if (before === "" || (call.instance !== null && call.instance !== before)) return { kind: "ambiguous" };
  const live = await lookAtChannel(ari, call.callId);
  if (live !== null) return live;
  const note = await readSettledNote(ari, clock, call.callId);
  if (note === null) return { kind: "unavailable", cause: "Asterisk cannot be asked" };
  if (note === "none") return neverDialled({ ari, clock }, call, before);
  return note.end === null ? { kind: "ambiguous" } : endedCall(ari, call.callId, note, note.end);
}

/** null: it has no channel any more, or none yet. */
async function lookAtChannel(ari: Looking["ari"], callId: CallId): Promise<LookupResult | null> {
  const answer = await ari.request({ method: "GET", path: `/channels/${encodeURIComponent(callId)}` });
  if (answer.kind === "failed") return { kind: "unavailable", cause: answer.cause };
  if (answer.status === 404) return null;
  const channel = channelSchema.safeParse(answer.body);
  if (answer.status !== 200 || !channel.success)
    return { kind: "unavailable", cause: `Asterisk answered ${answer.status}` };
  return {
    kind: "found",
    carrierRef: callId,
    status: channel.data.state === "Up" ? "connected" : "ringing",
    endReason: null,
    endedAt: null,
    answeredAt: null,
    answeredBy: null,
    endedBy: null,
    recordingRef: null,
  };
}

async function neverDialled(
  { ari, clock }: Looking,
  { instance, dialBy }: CarrierCall,
  before: string,
): Promise<LookupResult> {
  const after = await readVariable(ari, "RF_SINCE");
  const isSameRun = instance !== null && instance === before && after === before;
  const since = clock.nowMillis() - millisOf(dialBy);
  if (!isSameRun || since <= SURELY_LATE_MILLIS || since >= SURELY_NOTED_MILLIS) return { kind: "ambiguous" };
  const proof = `Asterisk, running since before the dial (${before}), has neither a channel nor a note of it, and refuses it after ${dialBy}`;
  return { kind: "never_dialled", proof };
}

/**
 * Without the time of its end, the talk is assumed to begin with the dial, because the ring time is unknown.
 */
async function endedCall(
  ari: Looking["ari"],
  callId: CallId,
  { dialledAtMillis }: Note,
  end: NoteEnd,
): Promise<LookupResult> {
  const { talkedSeconds: talked } = end;
  const endReason = endReasonOf(end, false);
  const ended = Number(await readVariable(ari, endedName(callId)));
  const endedAtMillis = ended > 0 ? ended * 1_000 : dialledAtMillis + (talked ?? 0) * 1_000;
  const recordingRef = talked === null ? null : await storedRecording(ari, callId);
  return {
    kind: "found",
    carrierRef: callId,
    status: "ended",
    endReason,
    endedAt: instantFromMillis(endedAtMillis),
    answeredAt: talked === null ? null : instantFromMillis(endedAtMillis - talked * 1_000),
    answeredBy: talked === null ? null : "unknown",
    endedBy: endReason === "customer_ended" ? "customer" : null,
    recordingRef,
  };
}

async function storedRecording(ari: Looking["ari"], callId: CallId): Promise<string | null> {
  const name = recordingName(callId);
  const answer = await ari.request({
    method: "GET",
    path: `/recordings/stored/${encodeURIComponent(name)}`,
  });
  return answer.kind === "answered" && answer.status === 200 ? name : null;
}
