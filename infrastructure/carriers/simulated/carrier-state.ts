import type { PlaceCall } from "../../../application/ports/carrier.ts";
import type { Clock } from "../../../application/ports/clock.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import type { AnsweredLine, PutThrough } from "./callee/answered-line.ts";
import type { Found } from "./found-call.ts";
import type { Journal } from "./journal.ts";
import type { Outcome } from "./outcome.ts";
import type { Tape } from "./tapes.ts";
import type { EventDelivery } from "./telling.ts";
import type { Step } from "./timeline.ts";

export type SimulatedCarrierOptions = {
  readonly clock: Clock;
  readonly dataDir: string;
  readonly seed: number;
  readonly speed: number;
  readonly tell: EventDelivery;
  /** Where the words of an answered call go. */
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
  /** Wakes the teller when the timeline changes. */
  changed: AbortController;
};

type Finished = { readonly at: number; readonly found: Found; readonly tape: Tape };

/** How long a call that has been told to its end can still be looked up, and is not dialled again. */
export const REMEMBERED_MILLIS = 24 * 60 * 60_000;

/** What a simulated carrier knows; its journal has all of it that must outlive the process. */
export type CarrierState = SimulatedCarrierOptions & {
  readonly journal: Journal;
  readonly calls: Map<CallId, LiveCall>;
  /** Calls that were told to their end, oldest first: what is left of them is the answer to a look-up. */
  readonly finished: Map<CallId, Finished>;
  readonly dials: Map<PhoneNumber, number>;
  readonly stopping: AbortController;
  leaving: boolean;
};
