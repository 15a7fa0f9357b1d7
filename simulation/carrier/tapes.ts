import type { PlaceCall } from "../../application/ports/carrier.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { simulatedRecording } from "./recording.ts";

const PREFIX = "sim_";

/** What is kept of a call for its recording. */
export type Tape = { linesSaid: number; isDeleted: boolean };

export function carrierRefOf(callId: CallId): string {
  return `${PREFIX}${callId.slice("call_".length)}`;
}

/** null: not one of our names. */
export function callOfRef(ref: string): CallId | null {
  return ref.startsWith(PREFIX) ? `call_${ref.slice(PREFIX.length)}` : null;
}

/**
 * The name of its recording; null: it is not recorded. A journal of an earlier release does not say; those
 * calls were recorded.
 */
export function recordingRefOf({
  callId,
  recorded,
}: Pick<PlaceCall, "callId"> & { recorded?: boolean }): string | null {
  return recorded === false ? null : carrierRefOf(callId);
}

/** Somebody spoke first, and again after each line of the callee. */
export function soundOf({ linesSaid, isDeleted }: Tape): Uint8Array<ArrayBuffer> | null {
  if (isDeleted) return null;
  const answers = Array.from({ length: linesSaid }, () => [{ role: "customer" }, { role: "assistant" }]);
  return simulatedRecording([{ role: "assistant" }, ...answers.flat()]);
}
