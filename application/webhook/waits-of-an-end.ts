import { awaitsLastWord, awaitsRecording, type CallFacts } from "./call-facts.ts";
import type { AttemptOutcome } from "./webhook-body.ts";

/** After this time the end is sent without what is missing (docs/architecture.md §3.6). */
export const RECORDING_WAIT_MILLIS = 30_000;
export const OUTCOME_WAIT_MILLIS = 60_000;
/** For 3 s a conversation may still append what happened before the end. */
export const LAST_WORD_WAIT_MILLIS = 5_000;

/** How long after its end a call waits for each thing that is missing; none: it can be sent. */
export function waitsOfEnd(facts: CallFacts, outcome: AttemptOutcome | null): readonly number[] {
  return [
    ...(awaitsRecording(facts) ? [RECORDING_WAIT_MILLIS] : []),
    ...(outcome === null ? [OUTCOME_WAIT_MILLIS] : []),
    ...(awaitsLastWord(facts) ? [LAST_WORD_WAIT_MILLIS] : []),
  ];
}
