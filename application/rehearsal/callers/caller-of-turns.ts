import type { PastEnd, PastMoment, PastTurn, WrittenTurn } from "../../../domain/rehearsal/rehearsal.ts";
import type { CalleeBehaviour, Reaction } from "../../voice/callee/behaviour.ts";
import { GREETING_MILLIS, PAUSE_MILLIS, whenDone } from "./turn-taking.ts";

export type TurnsOfCaller = {
  readonly turns: readonly PastTurn[];
  /** null: waits for the assistant to end the call. */
  readonly end: PastEnd | null;
};

/** What a case says turn by turn: each when the assistant is done, and at last the caller hangs up. */
export function turnsAsWritten(turns: readonly WrittenTurn[]): TurnsOfCaller {
  const when = { after: null, pauseMillis: PAUSE_MILLIS };
  return { turns: turns.map((turn) => ({ turn, ...when })), end: { how: "hangs_up", ...when } };
}

/**
 * Somebody who does one thing after the other, and does not listen to what begins after the moment at which
 * they spoke. A moment that the assistant does not reach, because it says less than it did, has come when
 * it is done.
 */
export function callerOfTurns({ turns, end }: TurnsOfCaller, isBusy: () => boolean): CalleeBehaviour {
  const next = (linesSaid: number): Deed | null =>
    turns[linesSaid] ?? (end === null ? null : { ...end, turn: { kind: end.how } });
  return {
    opens: (linesSaid) => {
      const turn = turns[linesSaid]?.turn;
      if (linesSaid > 0 || turn?.kind !== "machine") return null;
      return { kind: "say", text: turn.text, pauseMillis: 500, hangUpMillis: null };
    },
    reacts: (linesSaid, _heard, utterances) => {
      const deed = next(linesSaid);
      if (deed === null) return { kind: "listen" };
      const { after, pauseMillis } = deed;
      if (after === null) return whenDone(isBusy, reactionOf(deed, pauseMillis));
      if (utterances >= after.message) return reactionOf(deed, pauseMillis);
      return whenDone(isBusy, reactionOf(deed, Math.max(pauseMillis, PAUSE_MILLIS)));
    },
    goesOn: (linesSaid) => {
      const deed = next(linesSaid);
      if (deed?.after?.message === 0) return reactionOf(deed, deed.pauseMillis);
      if (deed === null || linesSaid > 0) return null;
      const pauseMillis = deed.turn.kind === "silence" ? deed.pauseMillis : GREETING_MILLIS;
      return whenDone(isBusy, reactionOf(deed, pauseMillis));
    },
    interruptsAfter: (linesSaid, words, utterances) => {
      const after = next(linesSaid)?.after ?? null;
      if (after === null || utterances < after.message) return null;
      if (utterances > after.message) return 0;
      return after.share < 1 ? Math.round(after.share * words.length) : null;
    },
    patienceMillis: null,
  };
}

type Deed = PastMoment & { readonly turn: WrittenTurn | { readonly kind: PastEnd["how"] } };

function reactionOf({ turn }: Deed, pauseMillis: number): Reaction {
  switch (turn.kind) {
    case "keys":
      return { kind: "press", digits: turn.keys, pauseMillis };
    case "silence":
      return { kind: "keep_silent", pauseMillis };
    case "hangs_up":
      return { kind: "hang_up", pauseMillis };
    case "talks_on":
      return { kind: "talk_on", pauseMillis };
    default:
      return { kind: "say", text: turn.text, pauseMillis, hangUpMillis: null };
  }
}
