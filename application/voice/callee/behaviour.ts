/** What a callee does when nobody speaks any more. Pauses are line time. */
export type Reaction =
  /**
   * `hangUpMillis`: it hangs up so long after its words, if nobody says anything; 0: at once; null: it does
   * not.
   */
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
  | { readonly kind: "listen" }
  /** Says nothing until it hears something again; counts as a line. */
  | { readonly kind: "keep_silent"; readonly pauseMillis: number }
  /** What it does is known only then; it hears nothing meanwhile. The promise never rejects. */
  | { readonly kind: "think"; readonly pauseMillis: number; readonly thought: () => Promise<Thought> }
  /** It is asked again then. */
  | { readonly kind: "look_again"; readonly pauseMillis: number };

export type Thought = Extract<Reaction, { kind: "say" | "hang_up" }>;

/**
 * Behaviour of a callee, by what was heard, the number of lines said, and the number of our utterances
 * since the last of them, the one that is played counted.
 */
export type CalleeBehaviour = {
  /** What it does before it heard anything; null: it waits for the first words. */
  readonly opens: (linesSaid: number) => Extract<Reaction, { kind: "say" | "talk_on" }> | null;
  readonly reacts: (linesSaid: number, heard: string, utterances: number) => Reaction;
  /** What it does when it has heard nothing since its last line; null or absent: it waits. */
  readonly goesOn?: (linesSaid: number) => Reaction | null;
  /** After how many characters it interrupts us; null: it lets us finish. */
  readonly interruptsAfter: (linesSaid: number, words: string, utterances: number) => number | null;
  /** It hangs up after hearing nothing for this long; null: never. */
  readonly patienceMillis: number | null;
};
