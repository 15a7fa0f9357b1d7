import type { Carrier, CarrierEvent, PlaceCall } from "../../../application/ports/carrier.ts";
import type { EndReason } from "../../../domain/call/end-reason.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { type Instant, instantFromMillis } from "../../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";

/**
 * What the person at a number does. `talks`: answers and stays for some seconds at least.
 * `rings`: never answers.
 */
export type Callee = "talks" | "rings" | "hangs_up";

/** How a dial is refused; each is an end reason of the port. */
export type Refusal = Extract<
  EndReason,
  "busy" | "declined" | "no_answer" | "invalid_number" | "permission_denied" | "unreachable" | "carrier_error"
>;

/**
 * `lost_reply`: the carrier dials, its reply never arrives. `slow_reply`: it arrives after a second.
 * `untold_recording`: what it tells of the call's recording never arrives, where it tells of that apart.
 */
export type DialFault = "lost_reply" | "slow_reply" | "untold_recording";

/**
 * A carrier with its far side and somebody who listens. One world serves a whole suite: every dial has a
 * number and a callId of its own.
 */
export type CarrierWorld = {
  /** The one that is open now: another one after `restart`. */
  carrier(): Carrier;
  /** What the sink has taken, in order; it takes everything unless `refuseEvents` says otherwise. */
  readonly events: readonly CarrierEvent[];
  /** The sink refuses so many events before it takes the next. */
  refuseEvents(count: number): void;
  /** A number nobody had before in this world. */
  numberOf(callee: Callee): PhoneNumber;
  /** null: this far side refuses nobody so. */
  refusedNumber(refusal: Refusal): PhoneNumber | null;
  /** The next dial meets this. null: there is no way between us that could break. */
  readonly meets: ((fault: DialFault) => void) | null;
  /** How often a person was rung for this call, as the far side counted. */
  rings(call: PlaceCall): Promise<number>;
  /** The process ends without a word to the far side, and another one opens the same carrier. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

export const LATEST = Number.MAX_SAFE_INTEGER;

let made = 0;

/** A dial with a callId of its own. */
export function dialOf(to: PhoneNumber, changes: Partial<PlaceCall> = {}): PlaceCall {
  made += 1;
  return {
    callId: callIdOf(made),
    owner: "usr_1",
    assistantName: "First",
    from: "+15005550100",
    to,
    ringTimeoutSeconds: 20,
    maxDurationSeconds: 60,
    voicemailPolicy: "ignore",
    recorded: false,
    dialBy: inMillis(15_000),
    ...changes,
  };
}

const run = `${process.pid}x${Date.now().toString(36)}`;

function callIdOf(number: number): CallId {
  return `call_${run}x${number}`;
}

export function inMillis(millis: number): Instant {
  return instantFromMillis(Date.now() + millis);
}
