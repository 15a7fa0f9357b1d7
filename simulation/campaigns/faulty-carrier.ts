import type {
  Carrier,
  CarrierCall as CarrierCallAsked,
  CarrierEvent,
  HangUpResult,
  LookupResult,
  PlaceCall,
  PlaceCallResult,
} from "../../application/ports/carrier.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { NEVER_AGAIN } from "./asked-opt-outs.ts";
import { type CallScript, scriptFor, type Wishes } from "./carrier-script.ts";
import { CALL_AGAIN, NOT_AFTER_ALL } from "./hears-callbacks.ts";
import { type CarrierFaults, NO_FAULTS } from "./scenario.ts";
import { type SeededRandom, seededRandom } from "./seeded-random.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** A dial request that reached the carrier. */
export type JournalEntry = {
  readonly at: number;
  readonly callId: CallId;
  readonly to: string;
  readonly accepted: boolean;
  /** The carrier instance that received it. */
  readonly instance: string;
};

type LineStatus = "ringing" | "connected" | "in_progress" | "ended";

type CarrierCall = {
  readonly call: PlaceCall;
  readonly script: CallScript;
  readonly carrierRef: string;
  status: LineStatus;
  sequence: number;
  answeredAt: Instant | null;
  endedAt: Instant | null;
  end: Pick<Extract<CarrierEvent, { type: "ended" }>, "endReason" | "endedBy"> | null;
};

export type FaultyCarrier = {
  /** Look-ups of calls that were dialled at another carrier instance. */
  readonly strangers: readonly CallId[];
  /** Restarts it with another instance: its calls are gone. */
  readonly replace: () => void;
  readonly telephony: Carrier;
  readonly journal: readonly JournalEntry[];
  /** Unavailable for this time. */
  readonly goAway: (millis: number) => void;
  /** From now on there are no faults. */
  readonly calmDown: () => void;
  /** Calls that ring or talk now. */
  /** It has been asked to end a call and has not answered yet. */
  readonly isHangingUp: () => boolean;
  readonly liveCalls: () => readonly CallId[];
};

type Tell = (event: CarrierEvent) => void;

type Asked = Pick<CarrierCallAsked, "callId" | "instance" | "dialBy">;

const GIVES_UP_MILLIS = 10_000;
const PROVED_AFTER_MILLIS = 5_000;
const DELIVERY_MILLIS = 20;
type EventBody = CarrierEvent extends infer E
  ? E extends CarrierEvent
    ? Omit<E, "dedupeKey" | "callId" | "carrierRef" | "sequence" | "occurredAt">
    : never
  : never;

/**
 * A carrier with the faults of real ones, by the seed. `tell` delivers a callback; it comes at least once
 * unless it is lost here.
 */
export function createFaultyCarrier(
  clock: VirtualClock,
  random: SeededRandom,
  {
    name,
    seed,
    optOuts,
    callbacks,
    faults: given,
  }: Wishes & {
    readonly name: string;
    readonly seed: number;
    readonly faults: CarrierFaults;
  },
  tell: Tell,
): FaultyCarrier {
  const calls = new Map<CallId, CarrierCall>();
  const dialsOf = new Map<string, number>();
  const journal: JournalEntry[] = [];
  const asksOf = new Map<string, number>();
  /** Calls that are never dialled any more, because it said so. */
  const shut = new Set<CallId>();
  const strangers: CallId[] = [];
  let starts = 1;
  let faults: CarrierFaults = given;
  let awayUntil = 0;
  let askedToHangUp = 0;

  const isAway = () => clock.elapsed() < awayUntil;
  const wait = (millis: number) => clock.sleep(millis);

  const instance = () => `${name}/${starts}`;
  /** The call belongs to another carrier, or to an earlier instance of this one. */
  const isElsewhere = (asked: Asked): boolean => {
    if (!asked.instance?.startsWith(`${name}/`)) strangers.push(asked.callId);
    return asked.instance !== instance();
  };
  const isThrottled = (to: string): boolean => {
    const asks = (asksOf.get(to) ?? 0) + 1;
    asksOf.set(to, asks);
    return seededRandom(seed, `throttle ${name} ${to}/${asks}`).chance(faults.throttled);
  };

  const say = (line: CarrierCall, body: EventBody): void => {
    line.sequence += 1;
    const { sequence, carrierRef, call } = line;
    const event: CarrierEvent = {
      dedupeKey: `${carrierRef}/${sequence}`,
      callId: call.callId,
      carrierRef,
      sequence,
      occurredAt: clock.now(),
      ...body,
    };
    if (line.script.silent && faults.silent > 0) return;
    if (random.chance(faults.callbackLost)) return;
    const late = random.chance(faults.callbackLate) ? random.between(1_000, 240_000) : 0;
    clock.after(DELIVERY_MILLIS + random.between(0, 30) + late, () => tell(event));
    if (random.chance(faults.callbackTwice)) clock.after(random.between(30, 60_000), () => tell(event));
  };

  const end = (line: CarrierCall, how: NonNullable<CarrierCall["end"]>): void => {
    if (line.status === "ended") return;
    line.status = "ended";
    line.endedAt = clock.now();
    line.end = how;
    const recordingExpected = line.answeredAt !== null && line.script.recording;
    const { answeredAt, script } = line;
    const answeredBy = answeredAt === null ? null : script.answeredBy;
    say(line, { type: "ended", ...how, answeredAt, answeredBy, recordingExpected, carrierCode: null });
    if (!recordingExpected) return;
    clock.after(random.between(500, 5_000), () => {
      say(line, { type: "recording", status: "available", recordingRef: `rec-${line.carrierRef}` });
    });
  };

  const play = (line: CarrierCall): void => {
    const { script } = line;
    say(line, { type: "ringing" });
    const isOver = () => line.status === "ended";
    const { answersAt } = script;
    if (answersAt !== null) {
      clock.after(answersAt, () => answer(line), isOver);
      for (let index = 0; index < script.messages; index += 1) {
        clock.after(answersAt + 400 + index * 700, () => speak(line, index), isOver);
      }
    }
    const ringsOut = line.call.ringTimeoutSeconds * 1_000;
    if (
      answersAt === null &&
      (script.endsAt ?? Number.POSITIVE_INFINITY) > ringsOut &&
      script.endReason === "no_answer"
    )
      clock.after(ringsOut, () => end(line, { endReason: "no_answer", endedBy: null }), isOver);
    if (script.endsAt !== null) {
      const { endReason, endedBy } = script;
      clock.after(script.endsAt, () => end(line, { endReason, endedBy }), isOver);
    }
  };

  const answer = (line: CarrierCall): void => {
    line.status = "connected";
    line.answeredAt = clock.now();
    say(line, { type: "answered", answeredBy: line.script.answeredBy });
    clock.after(
      100,
      () => {
        line.status = "in_progress";
        say(line, { type: "conversation_started" });
      },
      () => line.status === "ended",
    );
  };

  const speak = (line: CarrierCall, index: number): void => {
    const role = index % 2 === 0 ? "assistant" : "customer";
    const content = (role === "customer" ? wishOf(line.script, index) : null) ?? `words ${index}`;
    say(line, { type: "message", role, assistantId: null, content });
  };

  const arrive = (call: PlaceCall, script: CallScript): CarrierCall | null => {
    if (shut.has(call.callId)) return null;
    const accepted = script.placement.kind !== "rejected";
    journal.push({ at: clock.elapsed(), callId: call.callId, to: call.to, accepted, instance: instance() });
    if (!accepted) return null;
    const line: CarrierCall = {
      call,
      script,
      carrierRef: `ref-${journal.length}`,
      status: "ringing",
      sequence: 0,
      answeredAt: null,
      endedAt: null,
      end: null,
    };
    calls.set(call.callId, line);
    play(line);
    return line;
  };

  const placeCall = async (call: PlaceCall, sendBy: number): Promise<PlaceCallResult> => {
    if (clock.monotonicMillis() > sendBy) {
      return { kind: "unknown", cause: "too late to send", noAnswerAtAll: false };
    }
    const nth = (dialsOf.get(call.to) ?? 0) + 1;
    const script = scriptFor({ seed, optOuts, callbacks }, call.to, nth, faults);
    const { placement } = script;
    if (isAway() || placement.kind === "refused connection") {
      await wait(3);
      return {
        kind: "rejected",
        endReason: "not_placed",
        carrierCode: null,
        message: "connection refused",
        noAnswerAtAll: true,
      };
    }
    if (isThrottled(call.to)) {
      await wait(3);
      return { kind: "throttled", retryAfterMillis: random.between(1_000, 30_000) };
    }
    if (placement.kind === "lost") {
      await wait(GIVES_UP_MILLIS);
      return { kind: "unknown", cause: "no answer", noAnswerAtAll: true };
    }
    dialsOf.set(call.to, nth);
    let line: CarrierCall | null = null;
    clock.after(placement.arrives, () => {
      line = arrive(call, script);
    });
    if (placement.kind === "accepted" && placement.replies === null) {
      await wait(GIVES_UP_MILLIS);
      return { kind: "unknown", cause: "reply lost", noAnswerAtAll: true };
    }
    await wait(placement.kind === "accepted" ? (placement.replies ?? 0) : placement.arrives + 10);
    const placed = calls.get(call.callId) ?? line;
    if (placement.kind === "rejected" || placed === null) {
      const endReason = placement.kind === "rejected" ? placement.endReason : "carrier_error";
      return { kind: "rejected", endReason, carrierCode: "603", message: "refused", noAnswerAtAll: false };
    }
    return { kind: "accepted", carrierRef: placed.carrierRef };
  };

  const hangUp = async (asked: Asked): Promise<HangUpResult> => {
    const { callId } = asked;
    if (isElsewhere(asked)) return "unknown";
    if (isAway()) return "unknown";
    askedToHangUp += 1;
    await wait(random.between(5, 300));
    askedToHangUp -= 1;
    const line = calls.get(callId);
    if (line === undefined) return "unknown";
    if (line.status === "ended") return "already_ended";
    const unknown = random.chance(faults.hangUpUnknown);
    if (unknown && random.chance(0.5)) return "unknown";
    end(line, { endReason: line.answeredAt === null ? "canceled" : "api_ended", endedBy: "api" });
    return unknown ? "unknown" : "done";
  };

  /** Nobody is dialled after the dialBy of a call for which `never_dialled` was answered. */
  const neverHad = ({ callId, dialBy }: Asked): boolean => {
    if (clock.nowMillis() <= Date.parse(dialBy) + PROVED_AFTER_MILLIS) return false;
    if (faults.neverDialled === 0 || !random.chance(faults.neverDialled)) return false;
    shut.add(callId);
    return true;
  };

  const lookup = async (asked: Asked): Promise<LookupResult> => {
    const { callId } = asked;
    if (isElsewhere(asked)) return { kind: "ambiguous" };
    await wait(random.between(5, 200));
    if (isAway() || random.chance(faults.lookupUnavailable))
      return { kind: "unavailable", cause: "no answer" };
    const line = calls.get(callId);
    if (line === undefined && neverHad(asked)) return { kind: "never_dialled", proof: "it never came" };
    if (line === undefined) return { kind: "absent" };
    const { carrierRef, status, endedAt, answeredAt, script } = line;
    return {
      kind: "found",
      carrierRef,
      status,
      endReason: line.end?.endReason ?? null,
      endedAt,
      answeredAt,
      answeredBy: answeredAt === null ? null : script.answeredBy,
      endedBy: line.end?.endedBy ?? null,
      recordingRef: null,
    };
  };

  return {
    journal,
    strangers,
    replace: () => {
      starts += 1;
      for (const line of calls.values()) line.status = "ended";
      calls.clear();
    },
    telephony: {
      kind: "simulated",
      can: {
        dialOnceForMillis: 0,
        answersMachineVerdict: true,
        records: true,
        resumes: true,
        callsPerSecond: null,
      },
      instance: async () => instance(),
      recording: async () => ({ kind: "absent" }),
      deleteRecording: async () => "done",
      placeCall,
      hangUp,
      lookup,
      callsSince: async () => ({ kind: "no_witness" }),
      available: async () => !isAway(),
      refuses: async () => (isAway() ? "away" : null),
    },
    goAway: (millis) => {
      awayUntil = Math.max(awayUntil, clock.elapsed() + millis);
    },
    calmDown: () => {
      faults = NO_FAULTS;
      awayUntil = 0;
    },
    isHangingUp: () => askedToHangUp > 0,
    liveCalls: () => [...calls].flatMap(([callId, { status }]) => (status === "ended" ? [] : [callId])),
  };
}

/** The customer's words at this place of the call; null: no wish. */
function wishOf({ optsOut, callback }: CallScript, index: number): string | null {
  if (optsOut) return NEVER_AGAIN;
  if (callback === null) return null;
  if (index === 1 || callback === "asks twice") return CALL_AGAIN;
  if (callback === "asks") return null;
  return callback === "takes it back" ? NOT_AFTER_ALL : NEVER_AGAIN;
}
