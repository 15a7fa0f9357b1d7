import type { CallId } from "../../domain/shared/ids.ts";
import type { CarrierState } from "./carrier-state.ts";
import { foundAt } from "./found-call.ts";
import { callOfRef, soundOf, type Tape } from "./tapes.ts";

/** Recordings of ended calls; those of the last day are kept. */
function tapeOf(
  state: CarrierState,
  recordingRef: string,
): { readonly callId: CallId; readonly tape: Tape } | null {
  const callId = callOfRef(recordingRef);
  if (callId === null) return null;
  const live = state.calls.get(callId);
  const found =
    live === undefined ? state.finished.get(callId)?.found : foundAt(live, state.clock.nowMillis());
  const tape = live?.tape ?? state.finished.get(callId)?.tape;
  return found?.recordingRef === recordingRef && tape !== undefined ? { callId, tape } : null;
}

export function recordingOf(state: CarrierState, recordingRef: string): Uint8Array<ArrayBuffer> | null {
  const found = tapeOf(state, recordingRef);
  return found === null ? null : soundOf(found.tape);
}

export async function deleteRecording(state: CarrierState, recordingRef: string): Promise<void> {
  const found = tapeOf(state, recordingRef);
  if (found === null || found.tape.isDeleted) return;
  const { callId, tape } = found;
  await state.journal.append({ kind: "recording_deleted", at: state.clock.now(), callId });
  tape.isDeleted = true;
}
