import { useEffect, useLayoutEffect, useRef } from "react";
import type { Series } from "../story/series.ts";
import styles from "./bar.module.css";
import { type BarColours, type BarMarks, drawBar } from "./draw-bar.ts";

/** Redraws the canvas when its content, its size or the colour scheme changes. */
export function useDrawing(series: Series, { at, since }: BarMarks) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useRef<BarColours | null>(null);
  const draw = useRef((): void => undefined);
  draw.current = () => {
    const { current } = canvas;
    if (current === null) return;
    colours.current ??= coloursOf(current);
    drawBar(current, series, { at, since }, colours.current);
  };
  const isPast = at !== null;
  // The line has another colour then.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as it says
  useLayoutEffect(() => {
    colours.current = null;
  }, [isPast]);
  // In the frame of the figures beside it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is drawn
  useLayoutEffect(() => draw.current(), [series, at, since]);
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
  const mark = getComputedStyle(canvas).color;
  return { states, mark, since: states[3] ?? mark };
}
