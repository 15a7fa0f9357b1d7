/** What a callee does when nobody speaks any more. Pauses are line time. */
export type Reaction =
  /** `hangUpMillis`: it hangs up so long after its words, if nobody says anything; null: it does not. */
  | {
      readonly kind: "say";
      readonly text: string;
      readonly pauseMillis: number;
      readonly hangUpMillis: number | null;
    }
  | { readonly kind: "press"; readonly digits: string; readonly pauseMillis: number }
  | { readonly kind: "hang_up"; readonly pauseMillis: number }
  /** Begins to speak and never ends. */
  | { readonly kind: "talk_on"; readonly pauseMillis: number }
  | { readonly kind: "listen" };

/**
 * Behaviour of a callee: functions of what was heard and of the number of lines said, and of nothing else.
 */
export type CalleeBehaviour = {
  /** What it does before it heard anything; null: it waits for the first words. */
  readonly opens: (linesSaid: number) => Extract<Reaction, { kind: "say" | "talk_on" }> | null;
  readonly reacts: (linesSaid: number, heard: string) => Reaction;
  /** After how many characters it interrupts us; null: it lets us finish. */
  readonly interruptsAfter: (linesSaid: number, words: string) => number | null;
  /** It hangs up after hearing nothing for this long; null: never. */
  readonly patienceMillis: number | null;
};
