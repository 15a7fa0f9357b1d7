import { useEffect, useRef } from "react";
import type { Series } from "../story/series.ts";
import styles from "./bar.module.css";
import { type BarMarks, drawBar } from "./draw-bar.ts";

/** The canvas, drawn anew when something moves, its size changes or the light does. */
export function useDrawing(series: Series, { at, since }: BarMarks) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const draw = () => {
      const { current } = canvas;
      if (current === null) return;
      // The colours are those of the legend, as the browser has them in the light of now.
      const dots = [...(current.closest(`.${styles.bar}`)?.querySelectorAll("i") ?? [])];
      const states = dots.map((dot) => getComputedStyle(dot).backgroundColor);
      const mark = getComputedStyle(current).color;
      drawBar(current, series, { at, since }, { states, mark, since: states[3] ?? mark });
    };
    draw();
    const resized = new ResizeObserver(draw);
    if (canvas.current !== null) resized.observe(canvas.current);
    const themed = new MutationObserver(draw);
    themed.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", draw);
    return () => {
      resized.disconnect();
      themed.disconnect();
      dark.removeEventListener("change", draw);
    };
  }, [series, at, since]);
  return canvas;
}
