import { type KeyboardEvent, type PointerEvent, useMemo, useRef } from "react";
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
};

/** What happened to all contacts since the start: the chart is the slider for the selected moment. */
export function TimeBar({ story, life, since }: TimeBarProps) {
  const say = useTexts({ en, tr });
  const { time, number } = useFormat();
  const slider = useRef<HTMLDivElement>(null);
  const { from, until, at } = life;
  // The end moves whenever there is something to see.
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn for the end, not for each event
  const series = useMemo(() => seriesOf(story, from, until, SLICES), [from, until]);
  const along = (instant: number) => Math.min(1, Math.max(0, (instant - from) / Math.max(1, until - from)));
  const marks = { at: at === null ? null : along(at), since: since === null ? null : along(since) };
  const canvas = useDrawing(series, marks, useTicks(life));
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
      {/* Their colours are the chart's; their names stand in the figures below. */}
      {STATE_ORDER.map((state) => (
        <i key={state} className={figures[state]} />
      ))}
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
        <span className={styles.scale} aria-hidden="true">
          {say("people", { count: number(series.most) })}
        </span>
      </div>
    </div>
  );
}

/** As many as fit on a narrow screen. */
const TICKS = 6;
/** Nearer to an end there is no room for a label. */
const ROOM = 0.04;

/** The ends, and round instants of the reader's clock between them. */
function useTicks({ from, until, isOpen }: Life): readonly BarTick[] {
  const say = useTexts({ en, tr });
  const { day, clock, minutes, moment } = useFormat();
  return useMemo(() => {
    const { instants, distance } = ticksOf(from, until, TICKS, -new Date(until).getTimezoneOffset());
    const label = distance >= DAY_MILLIS ? day : distance < MINUTE_MILLIS ? clock : minutes;
    const round = instants
      .map((at) => ({ along: (at - from) / (until - from), label: label(at) }))
      .filter(({ along }) => along > ROOM && along < 1 - ROOM);
    const end = isOpen ? say("slider.now") : moment(until);
    return [{ along: 0, label: moment(from) }, ...round, { along: 1, label: end }];
  }, [from, until, isOpen, say, day, clock, minutes, moment]);
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
