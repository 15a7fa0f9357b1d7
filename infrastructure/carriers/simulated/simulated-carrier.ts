import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type {
  CarrierAbilities,
  HangUpResult,
  LookupResult,
  PlaceCall,
} from "../../../application/ports/carrier.ts";
import type { Clock } from "../../../application/ports/clock.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import type { AnsweredLine, PutThrough } from "./callee/answered-line.ts";
import { mindOf } from "./callee/personas.ts";
import { type CarrierRecord, carrierRecords } from "./carrier-records.ts";
import { type Found, foundAt } from "./found-call.ts";
import { type Journal, openJournal } from "./journal.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import { seededRandom } from "./seeded-random.ts";
import { type Teller, tellTimeline } from "./telling.ts";
import { endedAt, type GivenEnd, type Step, timelineOf } from "./timeline.ts";

export type Placement =
  | { readonly kind: "accepted"; readonly carrierRef: string }
  | {
      readonly kind: "rejected";
      readonly endReason: "invalid_number";
      readonly carrierCode: string;
      readonly message: string;
    };

/**
 * A carrier that dials nobody. Its calls go as the seed says, are written down before they are answered (the journal is the judge of every
 * crash drill) and go on after a restart of its process.
 */
export interface SimulatedCarrier {
  /** Of its journal: another journal is another far side. */
  readonly id: string;
  /** `installation`: whose dial it is; it stands in the journal. */
  place(call: PlaceCall, installation: string | null): Promise<Placement>;
  hangUp(callId: CallId): Promise<HangUpResult>;
  lookup(callId: CallId): LookupResult;
  /** No words any more: open lines are left as they are (session_lost), the calls go on. */
  leave(): void;
  /** Stops telling and closes the journal; what is untold is told after the next start. */
  stop(): Promise<void>;
}

export type SimulatedCarrierOptions = {
  readonly clock: Clock;
  readonly dataDir: string;
  readonly seed: number;
  readonly speed: number;
  readonly tell: Teller;
  /** Where the words of an answered call go. */
  readonly putThrough: PutThrough;
};

type LiveCall = {
  readonly carrierRef: string;
  readonly outcome: Outcome;
  readonly written: Promise<void>;
  steps: readonly Step[];
  /** null: not answered, or over. */
  line: AnsweredLine | null;
  /** Wakes the teller when the timeline changes. */
  changed: AbortController;
};

type Finished = { readonly at: number; readonly found: Found };

/** We have said our last word: so long the carrier waits for the hang-up. Own time. */
const HANG_UP_MILLIS = 5_000;
/** How long a call that has been told to its end can still be looked up, and is not dialled again. */
const REMEMBERED_MS = 24 * 60 * 60_000;

type State = SimulatedCarrierOptions & {
  readonly journal: Journal;
  readonly calls: Map<CallId, LiveCall>;
  /** Calls that were told to their end, oldest first: what is left of them is the answer to a look-up. */
  readonly finished: Map<CallId, Finished>;
  readonly dials: Map<PhoneNumber, number>;
  readonly stopping: AbortController;
  leaving: boolean;
};

export const SIMULATED_ABILITIES: CarrierAbilities = {
  dialOnceForMillis: REMEMBERED_MS,
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
    options.clock.nowMillis() - REMEMBERED_MS,
  );
  const journal = await openJournal(journalPath(options.dataDir));
  const id = records.id ?? (await named(journal, options.clock));
  const state: State = {
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
  for (const record of records.calls) resume(state, record);
  return {
    id,
    place: (call, installation) => place(state, call, installation),
    hangUp: (callId) => hangUp(state, callId),
    lookup: (callId) => lookup(state, callId),
    leave,
    stop: async () => {
      state.stopping.abort();
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

async function place(state: State, call: PlaceCall, installation: string | null): Promise<Placement> {
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
  const carrierRef = `sim_${call.callId.slice("call_".length)}`;
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
    told: false,
  };
  begin(state, placed, written, false);
  await written;
  return { kind: "accepted", carrierRef };
}

function knownCall(
  state: State,
  callId: CallId,
): { readonly carrierRef: string; readonly written: Promise<void> } | undefined {
  const finished = state.finished.get(callId);
  if (finished === undefined) return state.calls.get(callId);
  return { carrierRef: finished.found.carrierRef, written: Promise.resolve() };
}

function resume(state: State, record: CarrierRecord): void {
  begin(state, record, Promise.resolve(), true);
}

/** Lets the call take its course: nothing of it is told before it is written down. */
function begin(state: State, record: CarrierRecord, written: Promise<void>, resumed: boolean): void {
  const random = seededRandom(`course:${state.seed}:${record.call.to}:${record.dialsBefore}`);
  const course = timelineOf(record.call, record.outcome, record.placedAt, state.speed, random);
  const steps = record.end === null ? course : endedAt(course, record.end, state.speed);
  const live: LiveCall = {
    carrierRef: record.carrierRef,
    outcome: record.outcome,
    written,
    steps,
    line: null,
    changed: new AbortController(),
  };
  const { callId } = record.call;
  if (record.told) finish(state, callId, live);
  else run(state, record, live, resumed);
}

function run(state: State, record: CarrierRecord, live: LiveCall, resumed: boolean): void {
  const { callId } = record.call;
  state.calls.set(callId, live);
  void live.written
    .then(() =>
      tellTimeline({
        clock: state.clock,
        tell: state.tell,
        callId,
        call: live,
        signal: state.stopping.signal,
        onAnswered: () => connect(state, record, live, resumed),
        onEnded: (endReason) => {
          live.line?.end(endReason === "connection_lost" ? "line_lost" : "hung_up");
          live.line = null;
        },
      }),
    )
    .then(async (complete) => {
      if (!complete) return;
      finish(state, callId, live);
      await state.journal.append({ kind: "told", at: state.clock.now(), callId });
    })
    .catch(() => state.calls.delete(callId));
}

/** Words follow the answer, once it was taken. */
function connect(state: State, record: CarrierRecord, live: LiveCall, resumed: boolean): void {
  const { callId } = record.call;
  const { clock, journal, stopping } = state;
  if (live.line !== null || state.leaving || stopping.signal.aborted) return;
  if (live.steps.some(({ body, atMillis }) => body.type === "ended" && atMillis <= clock.nowMillis())) return;
  const { call, carrierRef, outcome, dialsBefore, linesSaid } = record;
  const mind = mindOf({ seed: state.seed, to: call.to, dialsBefore, outcome });
  live.line = state.putThrough(
    { call, carrierRef, mind, linesSaid, resumed },
    {
      onSaid: (lines) => {
        if (!stopping.signal.aborted)
          void journal.append({ kind: "said", at: clock.now(), callId, lines }).catch(() => undefined);
      },
      onHangUp: () => void endTalk(state, callId, live, "callee"),
      onFinished: () =>
        void clock
          .sleep(HANG_UP_MILLIS, stopping.signal)
          .then(() => endTalk(state, callId, live, "assistant")),
    },
  );
}

/** Written down before it is told: a carrier that starts again tells the same end. */
async function endTalk(
  state: State,
  callId: CallId,
  live: LiveCall,
  by: "callee" | "assistant",
): Promise<void> {
  const atMillis = state.clock.nowMillis();
  if (state.stopping.signal.aborted || foundAt(live, atMillis).status === "ended") return;
  live.steps = endedAt(live.steps, { atMillis, by }, state.speed);
  await state.journal.append({ kind: "ended", at: state.clock.now(), callId, by }).catch(() => undefined);
  live.changed.abort();
}

function finish(state: State, callId: CallId, live: LiveCall): void {
  const now = state.clock.nowMillis();
  state.calls.delete(callId);
  state.finished.set(callId, { at: now, found: foundAt(live, Number.POSITIVE_INFINITY) });
  for (const [oldest, { at }] of state.finished) {
    if (at > now - REMEMBERED_MS) break;
    state.finished.delete(oldest);
  }
}

async function hangUp(state: State, callId: CallId): Promise<HangUpResult> {
  const live = state.calls.get(callId);
  if (live === undefined) return "already_ended";
  const at = state.clock.nowMillis();
  if (foundAt(live, at).status === "ended") return "already_ended";
  live.steps = endedAt(live.steps, { atMillis: at, by: "we" } satisfies GivenEnd, state.speed);
  await state.journal.append({ kind: "hang_up", at: state.clock.now(), callId });
  live.changed.abort();
  return "done";
}

function lookup(state: State, callId: CallId): LookupResult {
  const finished = state.finished.get(callId);
  if (finished !== undefined) return finished.found;
  const live = state.calls.get(callId);
  return live === undefined ? { kind: "absent" } : foundAt(live, state.clock.nowMillis());
}
