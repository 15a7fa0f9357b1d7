import type { PlaceCall } from "../../application/ports/carrier.ts";
import type { CalleeBehaviour } from "./behaviour.ts";

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

/** Events of the line for the carrier. None after `end`. */
export type LineEvents = {
  /** The callee has said a line; `linesSaid` is their number now. */
  readonly onSaid: (linesSaid: number) => void;
  readonly onHangUp: () => void;
  /** We have said our last words: the carrier ends the call. */
  readonly onFinished: () => void;
  /** The line goes to another number: the call is over. */
  readonly onTransferred: () => void;
};

export interface AnsweredLine {
  /** The call is over. line_lost: without a request; session_lost: this process stops, the call goes on. */
  end(cause: "hung_up" | "line_lost" | "session_lost"): void;
}

/** Connects callee and conversation, again and again while the call lasts. */
export type PutThrough = (answered: AnsweredCall, events: LineEvents) => AnsweredLine;
