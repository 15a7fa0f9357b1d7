import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type {
  CarrierAbilities,
  HangUpResult,
  LookupResult,
  PlaceCall,
} from "../../application/ports/carrier.ts";
import type { Clock } from "../../application/ports/clock.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { outcomeOf } from "../callee/outcome.ts";
import { seededRandom } from "../callee/seeded-random.ts";
import { begin } from "./call-course.ts";
import { type CarrierRecord, carrierRecords } from "./carrier-records.ts";
import { type CarrierState, REMEMBERED_MILLIS, type SimulatedCarrierOptions } from "./carrier-state.ts";
import { foundAt } from "./found-call.ts";
import { type Journal, openJournal } from "./journal.ts";
import { callOfRef, carrierRefOf, soundOf, type Tape } from "./tapes.ts";
import { endedAt } from "./timeline.ts";

export type Placement =
  | { readonly kind: "accepted"; readonly carrierRef: string }
  | {
      readonly kind: "rejected";
      readonly endReason: "invalid_number";
      readonly carrierCode: string;
      readonly message: string;
    };

/**
 * A carrier that dials nobody. Its calls follow from the seed, are written before they are answered (the
 * crash drills judge by this journal) and go on after a restart of its process.
 */
export interface SimulatedCarrier {
  /** Id of its journal: another journal is another carrier instance. */
  readonly id: string;
  /** `installation`: who dials; stored in the journal. */
  place(call: PlaceCall, installation: string | null): Promise<Placement>;
  hangUp(callId: CallId): Promise<HangUpResult>;
  lookup(callId: CallId): LookupResult;
  /** A WAV file; null: there is none, or it was deleted. */
  recording(recordingRef: string): Uint8Array<ArrayBuffer> | null;
  deleteRecording(recordingRef: string): Promise<void>;
  /** Ends all conversations (session_lost); the calls go on. */
  leave(): void;
  /** Stops delivery and closes the journal; undelivered events follow after the next start. */
  stop(): Promise<void>;
}

export const SIMULATED_ABILITIES: CarrierAbilities = {
  dialOnceForMillis: REMEMBERED_MILLIS,
  answersMachineVerdict: true,
  records: true,
  resumes: true,
  callsPerSecond: null,
};

export function journalPath(dataDir: string): string {
  return join(dataDir, "journal.jsonl");
}

export async function startSimulatedCarrier(options: SimulatedCarrierOptions): Promise<SimulatedCarrier> {
  const records = await carrierRecords(
    journalPath(options.dataDir),
    options.clock.nowMillis() - REMEMBERED_MILLIS,
  );
  const journal = await openJournal(journalPath(options.dataDir));
  const id = records.id ?? (await named(journal, options.clock));
  const state: CarrierState = {
    ...options,
    journal,
    calls: new Map(),
    finished: new Map(),
    dials: records.dials,
    stopping: new AbortController(),
    leaving: false,
  };
  const leave = () => {
    state.leaving = true;
    for (const live of state.calls.values()) {
      live.line?.end("session_lost");
      live.line = null;
    }
  };
  for (const record of records.calls) begin(state, record, Promise.resolve(), true);
  return {
    id,
    place: (call, installation) => place(state, call, installation),
    hangUp: (callId) => hangUp(state, callId),
    lookup: (callId) => lookup(state, callId),
    recording: (ref) => recordingOf(state, ref),
    deleteRecording: (ref) => deleteRecording(state, ref),
    leave,
    stop: async () => {
      state.stopping.abort();
      // A listener of each call at one signal would make each of their waits walk through all others'.
      for (const live of state.calls.values()) {
        live.changed.abort();
        live.over.abort();
      }
      leave();
      await journal.close();
    },
  };
}

async function named(journal: Journal, clock: Clock): Promise<string> {
  const id = randomUUID();
  await journal.append({ kind: "journal", at: clock.now(), id });
  return id;
}

async function place(state: CarrierState, call: PlaceCall, installation: string | null): Promise<Placement> {
  const at = state.clock.now();
  const known = knownCall(state, call.callId);
  const whose = installation === null ? {} : { installation };
  const line = { kind: "dial", at, callId: call.callId, from: call.from, to: call.to, ...whose };
  if (known !== undefined) {
    await Promise.all([
      known.written,
      state.journal.append({ ...line, carrierCallId: known.carrierRef, duplicate: true }),
    ]);
    return { kind: "accepted", carrierRef: known.carrierRef };
  }
  const dialsBefore = state.dials.get(call.to) ?? 0;
  state.dials.set(call.to, dialsBefore + 1);
  const outcome = outcomeOf(
    call.to,
    dialsBefore,
    seededRandom(`outcome:${state.seed}:${call.to}:${dialsBefore}`),
  );
  if (outcome === "invalid_number") {
    await state.journal.append({ ...line, carrierCallId: null, duplicate: false });
    return {
      kind: "rejected",
      endReason: "invalid_number",
      carrierCode: "SIM-404",
      message: "The number does not exist",
    };
  }
  const carrierRef = carrierRefOf(call.callId);
  const written = state.journal.append({
    ...line,
    carrierCallId: carrierRef,
    duplicate: false,
    dialsBefore,
    outcome,
    call,
  });
  const placed: CarrierRecord = {
    call,
    carrierRef,
    outcome,
    dialsBefore,
    placedAt: state.clock.nowMillis(),
    end: null,
    linesSaid: 0,
    reported: false,
    recordingDeleted: false,
  };
  begin(state, placed, written, false);
  await written;
  return { kind: "accepted", carrierRef };
}

function knownCall(
  state: CarrierState,
  callId: CallId,
): { readonly carrierRef: string; readonly written: Promise<void> } | undefined {
  const finished = state.finished.get(callId);
  if (finished === undefined) return state.calls.get(callId);
  return { carrierRef: finished.found.carrierRef, written: Promise.resolve() };
}

async function hangUp(state: CarrierState, callId: CallId): Promise<HangUpResult> {
  const live = state.calls.get(callId);
  if (live === undefined) return "already_ended";
  const at = state.clock.nowMillis();
  if (foundAt(live, at).status === "ended") return "already_ended";
  live.steps = endedAt(live.steps, { atMillis: at, by: "we" }, live.call, state.speed);
  await state.journal.append({ kind: "hang_up", at: state.clock.now(), callId });
  live.changed.abort();
  return "done";
}

function lookup(state: CarrierState, callId: CallId): LookupResult {
  const finished = state.finished.get(callId);
  if (finished !== undefined) return finished.found;
  const live = state.calls.get(callId);
  return live === undefined ? { kind: "absent" } : foundAt(live, state.clock.nowMillis());
}

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

function recordingOf(state: CarrierState, recordingRef: string): Uint8Array<ArrayBuffer> | null {
  const found = tapeOf(state, recordingRef);
  return found === null ? null : soundOf(found.tape);
}

async function deleteRecording(state: CarrierState, recordingRef: string): Promise<void> {
  const found = tapeOf(state, recordingRef);
  if (found === null || found.tape.isDeleted) return;
  const { callId, tape } = found;
  await state.journal.append({ kind: "recording_deleted", at: state.clock.now(), callId });
  tape.isDeleted = true;
}
