import type { Clock } from "../../../application/ports/clock.ts";
import { heardAfter, speechMillis } from "../../../application/voice/speech-time.ts";
import { createTimer } from "../../../application/voice/timer.ts";

type Utterance = { readonly id: number; text: string; complete: boolean; startsAt: number };

export type Cut = {
  readonly id: number;
  readonly heard: string;
  readonly heardMillis: number;
  readonly precision: "exact" | "estimated";
};

/**
 * What was sent to be spoken, in order, and how far it was heard, estimated by time: a relay does not report
 * when it has said something. Times are line time.
 */
export interface Spoken {
  add(id: number, token: string, last: boolean): void;
  /** No further token of it comes: what was sent is spoken. null: nothing was sent. */
  stop(id: number): Cut | null;
  /** The customer spoke without an interruption: everything complete was heard. */
  hearAll(): void;
  /** One utterance was cut after these words; those before it were heard, those after it were not. */
  interrupt(heard: string, heardMillis: number | null): readonly Cut[];
  readonly isEmpty: () => boolean;
  end(): void;
}

type SpokenDeps = {
  readonly clock: Pick<Clock, "monotonicMillis" | "sleep">;
  readonly speed: number;
  readonly onHeard: (id: number) => void;
};

export function createSpoken({ clock, speed, onHeard }: SpokenDeps): Spoken {
  const timer = createTimer(clock);
  let under: Utterance[] = [];
  let freeAt = 0;
  const now = () => clock.monotonicMillis() * speed;
  const endOf = ({ startsAt, text }: Utterance) => startsAt + speechMillis(text);

  const heard = (utterance: Utterance) => {
    under = under.filter((each) => each !== utterance);
    freeAt = now();
    for (const each of under) each.startsAt = Math.max(freeAt, Math.min(each.startsAt, now()));
    onHeard(utterance.id);
  };
  const wait = () => {
    const first = under[0];
    if (first === undefined || !first.complete) return timer.cancel();
    timer.set((endOf(first) - now()) / speed, () => {
      heard(first);
      wait();
    });
  };
  const begun = (id: number): Utterance => {
    const before = under.at(-1);
    const startsAt = Math.max(now(), before === undefined ? freeAt : endOf(before));
    const utterance = { id, text: "", complete: false, startsAt };
    under.push(utterance);
    return utterance;
  };

  return {
    add: (id, token, last) => {
      const utterance = under.find((each) => each.id === id) ?? begun(id);
      if (utterance.complete) return;
      utterance.text += token;
      utterance.complete = last;
      if (last) wait();
    },
    stop: (id) => {
      const utterance = under.find((each) => each.id === id);
      if (utterance === undefined) return null;
      under = under.filter((each) => each !== utterance);
      wait();
      const { text } = utterance;
      return { id, heard: text, heardMillis: Math.round(speechMillis(text)), precision: "estimated" };
    },
    hearAll: () => {
      for (const utterance of under.filter(({ complete }) => complete)) heard(utterance);
      wait();
    },
    interrupt: (words, heardMillis) => {
      const stopped = under;
      under = [];
      freeAt = now();
      timer.cancel();
      return cutsOf(stopped, words, heardMillis, now(), onHeard);
    },
    isEmpty: () => under.length === 0,
    end: () => timer.cancel(),
  };
}

function cutsOf(
  stopped: readonly Utterance[],
  words: string,
  heardMillis: number | null,
  now: number,
  onHeard: (id: number) => void,
): readonly Cut[] {
  const named = stopped.findIndex(({ text }) => words !== "" && beginsWith(text, words));
  const timed = stopped.findIndex(({ startsAt, text }) => now < startsAt + speechMillis(text));
  const cutAt = Math.max(0, named === -1 ? timed : named);
  for (const { id } of stopped.slice(0, cutAt)) onHeard(id);
  return stopped.slice(cutAt).map(({ id, text, startsAt }, index) => {
    if (index > 0) return { id, heard: "", heardMillis: 0, precision: "exact" };
    const passed = Math.max(0, Math.round(now - startsAt));
    if (words === "" && heardMillis === null)
      return { id, heard: heardAfter(text, passed), heardMillis: passed, precision: "estimated" };
    return { id, heard: words, heardMillis: heardMillis ?? passed, precision: "exact" };
  });
}

/** Compares only letters and digits, because a carrier writes numbers, signs and spaces in its own way. */
function beginsWith(text: string, words: string): boolean {
  return plain(text).startsWith(plain(words));
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
