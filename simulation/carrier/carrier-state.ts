import type { PlaceCall } from "../../application/ports/carrier.ts";
import type { Clock } from "../../application/ports/clock.ts";
import type { SleepCut } from "../../application/wake-signal.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { AnsweredLine, PutThrough } from "../callee/answered-line.ts";
import type { Outcome } from "../callee/outcome.ts";
import type { EventDelivery } from "./deliver-timeline.ts";
import type { Found } from "./found-call.ts";
import type { Journal } from "./journal.ts";
import type { Tape } from "./tapes.ts";
import type { Step } from "./timeline.ts";

export type SimulatedCarrierOptions = {
  readonly clock: Clock;
  readonly dataDir: string;
  readonly seed: number;
  readonly speed: number;
  readonly tell: EventDelivery;
  /** Connects an answered call with its conversation. */
  readonly putThrough: PutThrough;
};

export type LiveCall = {
  readonly carrierRef: string;
  readonly call: PlaceCall;
  readonly outcome: Outcome;
  readonly written: Promise<void>;
  steps: readonly Step[];
  tape: Tape;
  /** null: not answered, or over. */
  line: AnsweredLine | null;
  /** Wakes event delivery: the timeline changed, or the carrier stops. */
  changed: SleepCut;
  /** Nothing waits for a hang-up any more: the call has ended, or the carrier stops. */
  readonly over: SleepCut;
};

type Finished = { readonly at: number; readonly found: Found; readonly tape: Tape };

/** After the end a call can be looked up, and is not dialled again, for this long. */
export const REMEMBERED_MILLIS = 24 * 60 * 60_000;

/** State of a simulated carrier; the part that must outlive the process is in its journal. */
export type CarrierState = SimulatedCarrierOptions & {
  readonly journal: Journal;
  readonly calls: Map<CallId, LiveCall>;
  /** Calls whose events were all delivered, oldest first; kept for look-ups. */
  readonly finished: Map<CallId, Finished>;
  readonly dials: Map<PhoneNumber, number>;
  readonly stopping: AbortController;
  leaving: boolean;
};
