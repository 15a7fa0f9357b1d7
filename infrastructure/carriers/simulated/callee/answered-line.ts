import type { PlaceCall } from "../../../../application/ports/carrier.ts";
import type { CalleeMind } from "./mind.ts";

/** A call that was answered, and who answered it. */
export type AnsweredCall = {
  readonly call: PlaceCall;
  readonly carrierRef: string;
  readonly mind: CalleeMind;
  /** Before a restart of the carrier. */
  readonly linesSaid: number;
  /** The carrier was restarted while the call went on. */
  readonly resumed: boolean;
};

/** What the carrier hears of the line. Nothing after `end`. */
export type LineEvents = {
  /** The callee has said a line: how many they are now. */
  readonly onSaid: (linesSaid: number) => void;
  readonly onHangUp: () => void;
  /** We have said our last word: the call is ours to end. */
  readonly onFinished: () => void;
};

export interface AnsweredLine {
  /** The call is over. line_lost: for no reason that anybody wished for; session_lost: this process goes, the call stays. */
  end(cause: "hung_up" | "line_lost" | "session_lost"): void;
}

/** Brings callee and conversation together, again and again while the call lives. */
export type PutThrough = (answered: AnsweredCall, events: LineEvents) => AnsweredLine;
