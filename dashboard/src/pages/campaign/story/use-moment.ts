import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Story } from "../../../../../client/story/fold-story.ts";
import { startOf, turningPoints } from "./series.ts";

/** The life of a campaign and its selected moment. Times in ms since 1970. */
export type Life = {
  /** When calling began. */
  readonly from: number;
  readonly until: number;
  /** Whether `until` is now. */
  readonly isOpen: boolean;
  /** null: now. */
  readonly at: number | null;
  readonly isPlaying: boolean;
  readonly look: (at: number | null) => void;
  /** Moves by so many two-hundredths of the life. */
  readonly step: (steps: number) => void;
  readonly begin: () => void;
  readonly now: () => void;
  /** To the start, pause or similar before (-1) or after (1). */
  readonly turn: (direction: -1 | 1) => void;
  /** Plays from here (now: from the start) to now within about ten seconds; again: stops. */
  readonly play: () => void;
};

const STEPS = 200;
const PLAYED_MILLIS = 10_000;
/** Browsers limit changes of the URL and ignore further ones; each change costs as much as a step. */
const URL_MILLIS = 300;
const CLOCK_MILLIS = 1_000;

type MomentOptions = {
  readonly story: Story;
  /** Whether the campaign is still running. */
  readonly isOpen: boolean;
  readonly urlAt: number | null;
  readonly setUrlAt: (at: number | null) => void;
};

export function useMoment({ story, isOpen, urlAt, setUrlAt }: MomentOptions): Life {
  const ticking = useClock(isOpen);
  const first = useMemo(() => startOf(story) ?? story.times[0], [story]) ?? ticking;
  const last = story.times.at(-1) ?? first;
  // While it runs, only the clock moves the end: the bar is drawn once a second, not with each event.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `last` is looked at when the clock ticks
  const end = useMemo(() => Math.max(last, ticking), [ticking, first, isOpen]);
  const until = Math.max(first + 1, isOpen ? end : last);
  const [at, setAt] = useUrlMoment(urlAt, setUrlAt);
  const [isPlaying, setPlaying] = useState(false);
  const look = useCallback(
    (wanted: number | null) =>
      setAt(wanted === null || wanted >= until ? null : Math.max(first, Math.round(wanted))),
    [first, until, setAt],
  );
  usePlaying(isPlaying, { from: first, until, at, look, stop: () => setPlaying(false) });
  return useMemo(() => {
    const shown = at ?? until;
    const move = (to: number | null) => {
      setPlaying(false);
      look(to);
    };
    return {
      from: first,
      until,
      isOpen,
      at,
      isPlaying,
      look: move,
      step: (steps) => move(Math.round(shown + (steps * (until - first)) / STEPS)),
      begin: () => move(first),
      now: () => move(null),
      turn: (direction) => {
        const points = turningPoints(story);
        const next =
          direction < 0 ? points.findLast((point) => point < shown) : points.find((point) => point > shown);
        move(next ?? (direction < 0 ? first : null));
      },
      play: () => {
        if (!isPlaying && at === null) look(first);
        setPlaying(!isPlaying);
      },
    };
  }, [first, until, isOpen, at, isPlaying, look, story]);
}

/** The selected moment: at once on the screen, a little later in the URL. */
function useUrlMoment(
  urlAt: number | null,
  setUrlAt: (at: number | null) => void,
): readonly [number | null, (at: number | null) => void] {
  const [own, setOwn] = useState<{ readonly at: number | null } | null>(null);
  const wanted = useRef<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the URL says from now on is what holds
  useEffect(() => {
    if (timer.current === undefined) setOwn(null);
  }, [urlAt]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const set = useCallback(
    (at: number | null) => {
      wanted.current = at;
      setOwn({ at });
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        setUrlAt(wanted.current);
      }, URL_MILLIS);
    },
    [setUrlAt],
  );
  return [own === null ? urlAt : own.at, set];
}

function useClock(isOpen: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(() => setNow(Date.now()), CLOCK_MILLIS);
    return () => clearInterval(timer);
  }, [isOpen]);
  return now;
}

type Playing = {
  readonly from: number;
  readonly until: number;
  readonly at: number | null;
  readonly look: (at: number | null) => void;
  readonly stop: () => void;
};

function usePlaying(isPlaying: boolean, playing: Playing): void {
  const latest = useRef(playing);
  latest.current = playing;
  useEffect(() => {
    if (!isPlaying) return;
    let frame = 0;
    let before = performance.now();
    const next = (time: number) => {
      const { from, until, at, look, stop } = latest.current;
      const to = (at ?? from) + ((time - before) / PLAYED_MILLIS) * (until - from);
      before = time;
      if (to >= until) {
        look(null);
        stop();
        return;
      }
      look(to);
      frame = requestAnimationFrame(next);
    };
    frame = requestAnimationFrame(next);
    return () => cancelAnimationFrame(frame);
  }, [isPlaying]);
}
