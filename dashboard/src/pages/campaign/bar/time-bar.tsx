import { type KeyboardEvent, memo, type PointerEvent, type ReactNode, useMemo, useRef } from "react";
import type { Story } from "../../../../../client/story/fold-story.ts";
import { useFormat } from "../../../texts/format.ts";
import { useTexts } from "../../../texts/language.tsx";
import { en } from "../en.ts";
import figures from "../figures/figures.module.css";
import { STATE_ORDER } from "../states.ts";
import { seriesOf } from "../story/series.ts";
import type { Life } from "../story/use-moment.ts";
import { tr } from "../tr.ts";
import styles from "./bar.module.css";
import type { BarTick } from "./draw-bar.ts";
import { ticksOf } from "./ticks.ts";
import { useDrawing } from "./use-drawing.ts";

const SLICES = 300;
const MINUTE_MILLIS = 60_000;
const DAY_MILLIS = 24 * 60 * MINUTE_MILLIS;

type TimeBarProps = {
  readonly story: Story;
  readonly life: Life;
  readonly since: number | null;
  /** On one line with the legend. */
  readonly tools: ReactNode;
  /** Between the ends, so that the layout does not move when a past moment is selected. */
  readonly stood: ReactNode;
};

/** All contacts by state over the campaign's whole life: the chart is the slider for the selected moment. */
export function TimeBar({ story, life, since, tools, stood }: TimeBarProps) {
  const say = useTexts({ en, tr });
  const { clock, time } = useFormat();
  const slider = useRef<HTMLDivElement>(null);
  const { from, until, at } = life;
  // The end moves whenever there is something to see.
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn for the end, not for each event
  const series = useMemo(() => seriesOf(story, from, until, SLICES), [from, until]);
  const along = (instant: number) => Math.min(1, Math.max(0, (instant - from) / Math.max(1, until - from)));
  const marks = { at: at === null ? null : along(at), since: since === null ? null : along(since) };
  const ticks = useTicks(from, until);
  const canvas = useDrawing(series, marks, ticks);
  const shown = at ?? until;
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    const box = slider.current?.getBoundingClientRect();
    if (box === undefined || (event.type === "pointermove" && event.buttons === 0)) return;
    if (event.type === "pointerdown") slider.current?.setPointerCapture(event.pointerId);
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    life.look(share >= 0.998 ? null : Math.round(from + share * (until - from)));
  };
  return (
    <div className={styles.bar}>
      <div className={styles.top}>
        {tools}
        <Legend />
      </div>
      <div
        ref={slider}
        className={styles.slider}
        role="slider"
        tabIndex={0}
        data-testid="slider"
        aria-label={say("slider")}
        aria-valuemin={from}
        aria-valuemax={until}
        aria-valuenow={shown}
        aria-valuetext={at === null ? say("slider.now") : time(at)}
        onKeyDown={(event) => keyed(event, life)}
        onPointerDown={drag}
        onPointerMove={drag}
      >
        <canvas ref={canvas} className={styles.canvas} />
      </div>
      <div className={styles.ends}>
        <span title={new Date(from).toISOString()}>{time(from)}</span>
        {at === null ? null : (
          <span className={styles.pastTime} title={new Date(at).toISOString()}>
            {stood} {say("looking", { at: time(at) })}
          </span>
        )}
        <span title={new Date(until).toISOString()}>{clock(until)}</span>
      </div>
    </div>
  );
}

/** As many as fit on a narrow screen. */
const TICKS = 6;
/** Nearer to an end there is no room for a label. */
const ROOM = 0.04;

/** Round instants of the reader's clock between the ends. */
function useTicks(from: number, until: number): readonly BarTick[] {
  const { day, clock, minutes } = useFormat();
  return useMemo(() => {
    const { instants, distance } = ticksOf(from, until, TICKS, -new Date(until).getTimezoneOffset());
    const label = distance >= DAY_MILLIS ? day : distance < MINUTE_MILLIS ? clock : minutes;
    return instants
      .map((at) => ({ along: (at - from) / (until - from), label: label(at) }))
      .filter(({ along }) => along > ROOM && along < 1 - ROOM);
  }, [from, until, day, clock, minutes]);
}

function keyed(event: KeyboardEvent, { step, begin, now }: Life): void {
  const moves: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => step(-1),
    ArrowDown: () => step(-1),
    ArrowRight: () => step(1),
    ArrowUp: () => step(1),
    PageDown: () => step(-10),
    PageUp: () => step(10),
    Home: begin,
    End: now,
  };
  const move = moves[event.key];
  if (move === undefined) return;
  event.preventDefault();
  move();
}

const Legend = memo(function Legend() {
  const say = useTexts({ en, tr });
  return (
    <ul className={styles.legend}>
      {STATE_ORDER.map((state) => (
        <li key={state}>
          <i className={`${figures.dot} ${figures[state]}`} />
          {say(`state.${state}`)}
        </li>
      ))}
    </ul>
  );
});
