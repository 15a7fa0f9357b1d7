import { createSleepCut } from "../../application/wake-signal.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { behaviourOf } from "../callee/personas.ts";
import { seededRandom } from "../callee/seeded-random.ts";
import type { CarrierRecord } from "./carrier-records.ts";
import { type CarrierState, type LiveCall, REMEMBERED_MILLIS } from "./carrier-state.ts";
import { deliverTimeline } from "./deliver-timeline.ts";
import { foundAt } from "./found-call.ts";
import { endedAt, timelineOf } from "./timeline.ts";

/** After our last words the carrier waits this long for the hang-up. Real time. */
const HANG_UP_MILLIS = 5_000;

/** Starts the call. Every event is written to the journal before it is sent. */
export function begin(
  state: CarrierState,
  record: CarrierRecord,
  written: Promise<void>,
  resumed: boolean,
): void {
  const random = seededRandom(`course:${state.seed}:${record.call.to}:${record.dialsBefore}`);
  const course = timelineOf(record.call, record.outcome, record.placedAt, state.speed, random);
  const steps = record.end === null ? course : endedAt(course, record.end, record.call, state.speed);
  const live: LiveCall = {
    carrierRef: record.carrierRef,
    call: record.call,
    outcome: record.outcome,
    written,
    steps,
    tape: { linesSaid: record.linesSaid, isDeleted: record.recordingDeleted },
    line: null,
    changed: createSleepCut(),
    over: createSleepCut(),
  };
  const { callId } = record.call;
  if (record.reported) finish(state, callId, live);
  else run(state, record, live, resumed);
}

function run(state: CarrierState, record: CarrierRecord, live: LiveCall, resumed: boolean): void {
  const { callId } = record.call;
  state.calls.set(callId, live);
  void live.written
    .then(() =>
      deliverTimeline({
        clock: state.clock,
        deliver: state.tell,
        callId,
        call: live,
        signal: state.stopping.signal,
        onAnswered: () => connect(state, record, live, resumed),
        onEnded: (endReason) => {
          live.line?.end(endReason === "connection_lost" ? "line_lost" : "hung_up");
          live.line = null;
          live.over.abort();
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

/** The conversation follows the answer, once that event was accepted. */
function connect(state: CarrierState, record: CarrierRecord, live: LiveCall, resumed: boolean): void {
  const { callId } = record.call;
  const { clock, journal, stopping } = state;
  if (live.line !== null || state.leaving || stopping.signal.aborted) return;
  if (live.steps.some(({ body, atMillis }) => body.type === "ended" && atMillis <= clock.nowMillis())) return;
  const { call, carrierRef, outcome, dialsBefore, linesSaid } = record;
  const behaviour = behaviourOf({ seed: state.seed, to: call.to, dialsBefore, outcome });
  live.line = state.putThrough(
    { call, carrierRef, behaviour, linesSaid, resumed },
    {
      onSaid: (lines) => {
        live.tape.linesSaid = lines;
        if (!stopping.signal.aborted)
          void journal.append({ kind: "said", at: clock.now(), callId, lines }).catch(() => undefined);
      },
      onHangUp: () => void endTalk(state, callId, live, "callee"),
      onFinished: () =>
        void clock.sleep(HANG_UP_MILLIS, live.over).then(() => endTalk(state, callId, live, "assistant")),
      onTransferred: () => void endTalk(state, callId, live, "transfer"),
    },
  );
}

/** Written before it is sent, so that a restarted carrier reports the same end. */
async function endTalk(
  state: CarrierState,
  callId: CallId,
  live: LiveCall,
  by: "callee" | "assistant" | "transfer",
): Promise<void> {
  const atMillis = state.clock.nowMillis();
  if (state.stopping.signal.aborted || foundAt(live, atMillis).status === "ended") return;
  live.steps = endedAt(live.steps, { atMillis, by }, live.call, state.speed);
  await state.journal.append({ kind: "ended", at: state.clock.now(), callId, by }).catch(() => undefined);
  live.changed.abort();
}

function finish(state: CarrierState, callId: CallId, live: LiveCall): void {
  const now = state.clock.nowMillis();
  state.calls.delete(callId);
  state.finished.set(callId, { at: now, found: foundAt(live, Number.POSITIVE_INFINITY), tape: live.tape });
  for (const [oldest, { at }] of state.finished) {
    if (at > now - REMEMBERED_MILLIS) break;
    state.finished.delete(oldest);
  }
}
