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
  /** Begins to speak, and never comes to an end. */
  | { readonly kind: "talk_on"; readonly pauseMillis: number }
  | { readonly kind: "listen" };

/** Who answers: functions of what was heard and of how many lines were said already, and of nothing else. */
export type CalleeMind = {
  /** What it does before anything was heard; null: it waits for the first words. */
  readonly opens: (linesSaid: number) => Extract<Reaction, { kind: "say" | "talk_on" }> | null;
  readonly reacts: (linesSaid: number, heard: string) => Reaction;
  /** How many characters of these words it hears before it speaks itself; null: it lets us finish. */
  readonly interruptsAfter: (linesSaid: number, words: string) => number | null;
  /** It hangs up when it has heard nothing for so long; null: never. */
  readonly patienceMillis: number | null;
};
