import { useEffect, useLayoutEffect, useRef } from "react";
import type { Series } from "../story/series.ts";
import styles from "./bar.module.css";
import { type BarColours, type BarMarks, type BarTick, drawBar, type Painted } from "./draw-bar.ts";

const NO_TICKS: readonly BarTick[] = [];

/** Redraws the canvas when its content, its size or the colour scheme changes. */
export function useDrawing(series: Series, { at, since }: BarMarks, ticks = NO_TICKS) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useRef<BarColours | null>(null);
  const painted = useRef<Painted>(null);
  const draw = useRef((): void => undefined);
  draw.current = () => {
    const { current } = canvas;
    if (current === null) return;
    colours.current ??= coloursOf(current);
    painted.current ??= { image: document.createElement("canvas"), series: null, colours: null };
    drawBar(current, painted.current, { series, marks: { at, since }, ticks }, colours.current);
  };
  const isPast = at !== null;
  // The line has another colour then.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as it says
  useLayoutEffect(() => {
    colours.current = null;
  }, [isPast]);
  // In the frame of the figures beside it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is drawn
  useLayoutEffect(() => draw.current(), [series, at, since, ticks]);
  useEffect(() => {
    const resized = new ResizeObserver(() => draw.current());
    if (canvas.current !== null) resized.observe(canvas.current);
    const relit = () => {
      colours.current = null;
      draw.current();
    };
    const themed = new MutationObserver(relit);
    themed.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", relit);
    return () => {
      resized.disconnect();
      themed.disconnect();
      dark.removeEventListener("change", relit);
    };
  }, []);
  return canvas;
}

/** Colours of the legend in the current colour scheme. */
function coloursOf(canvas: HTMLCanvasElement): BarColours {
  const dots = [...(canvas.closest(`.${styles.bar}`)?.querySelectorAll("i") ?? [])];
  const states = dots.map((dot) => getComputedStyle(dot).backgroundColor);
  const { color: mark, fontFamily } = getComputedStyle(canvas);
  const scale = canvas.closest(`.${styles.bar}`)?.querySelector(`.${styles.scale}`) ?? canvas;
  const font = `12px ${fontFamily}`;
  return { states, mark, since: states[3] ?? mark, text: getComputedStyle(scale).color, font };
}
