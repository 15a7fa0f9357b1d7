import { type Position, START } from "../../../application/ports/event-store.ts";
import { comparePositions } from "./positions.ts";

/** Nothing of ours stands after `from`, up to and with `to`; at `to` stands an event of somebody. */
export type QuietStretch = { readonly from: Position; readonly to: Position };

/**
 * Where nothing of ours is known to stand, so that nobody reads the events of others there again: the stretch before our first event, and the
 * newest one found since. Positions only rise, so a stretch stays quiet, unless the log itself goes back.
 */
export type QuietStretches = {
  readonly learn: (stretch: QuietStretch) => void;
  /** The furthest place after which a reader who goes on after `position` misses nothing. */
  readonly beyond: (position: Position) => Position;
  /** Whether the stretch before our first event is known. */
  readonly knowsFirst: () => boolean;
  /** The log went back: nothing that was learned can be believed. */
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

/** Two that touch are one; of others the one that reaches further. */
function longer(known: QuietStretch | undefined, found: QuietStretch): QuietStretch {
  if (known === undefined) return found;
  const touching = comparePositions(found.from, known.to) <= 0 && comparePositions(known.from, found.to) <= 0;
  const further = comparePositions(found.to, known.to) > 0;
  if (!touching) return further ? found : known;
  const begin = comparePositions(found.from, known.from) < 0 ? found.from : known.from;
  return { from: begin, to: further ? found.to : known.to };
}
