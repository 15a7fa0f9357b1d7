import type { PlaceCall } from "../../application/ports/carrier.ts";
import type { CalleeBehaviour } from "../../application/voice/callee/behaviour.ts";
import type { LineEvents } from "../../application/voice/callee/callee-session.ts";

/** A call that was answered, and who answered it. */
export type AnsweredCall = {
  readonly call: PlaceCall;
  readonly carrierRef: string;
  readonly behaviour: CalleeBehaviour;
  /** Lines said before a restart of the carrier. */
  readonly linesSaid: number;
  /** The carrier was restarted during the call. */
  readonly resumed: boolean;
};

export interface AnsweredLine {
  /** The call is over. line_lost: without a request; session_lost: this process stops, the call goes on. */
  end(cause: "hung_up" | "line_lost" | "session_lost"): void;
}

/** Connects callee and conversation, again and again while the call lasts. */
export type PutThrough = (answered: AnsweredCall, events: LineEvents) => AnsweredLine;
