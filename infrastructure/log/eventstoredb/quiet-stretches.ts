import { type Position, START } from "../../../application/ports/event-store.ts";
import { comparePositions } from "./positions.ts";

/** There is no event of ours after `from`, up to and including `to`, the position of some event. */
export type QuietStretch = { readonly from: Position; readonly to: Position };

/**
 * Ranges without an event of ours, so that their foreign events are not read again: the range before our
 * first event, and the latest one found since. Positions only increase, so a range stays valid unless the log
 * is restored to an older state.
 */
export type QuietStretches = {
  readonly learn: (stretch: QuietStretch) => void;
  /** The furthest position from which a reader at `position` can go on without missing an event. */
  readonly beyond: (position: Position) => Position;
  /** Whether the range before our first event is known. */
  readonly knowsFirst: () => boolean;
  /** The log was restored to an older state: all ranges are invalid. */
  readonly forget: () => void;
};

export function createQuietStretches(): QuietStretches {
  const stretches = new Map<"first" | "newest", QuietStretch>();
  return {
    learn(stretch) {
      const first = stretches.get("first");
      if (first === undefined || comparePositions(stretch.from, first.from) <= 0)
        stretches.set("first", longer(first, stretch));
      else stretches.set("newest", longer(stretches.get("newest"), stretch));
    },
    beyond: (position) =>
      [...stretches.values()].reduce(
        (at, { from, to }) => (comparePositions(from, at) <= 0 && comparePositions(at, to) < 0 ? to : at),
        position,
      ),
    knowsFirst: () => stretches.get("first")?.from === START,
    forget: () => stretches.clear(),
  };
}

/** Adjacent ranges are joined; otherwise the one that reaches further is kept. */
function longer(known: QuietStretch | undefined, found: QuietStretch): QuietStretch {
  if (known === undefined) return found;
  const touching = comparePositions(found.from, known.to) <= 0 && comparePositions(known.from, found.to) <= 0;
  const further = comparePositions(found.to, known.to) > 0;
  if (!touching) return further ? found : known;
  const begin = comparePositions(found.from, known.from) < 0 ? found.from : known.from;
  return { from: begin, to: further ? found.to : known.to };
}
