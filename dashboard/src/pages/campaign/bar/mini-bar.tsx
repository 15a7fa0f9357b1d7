import { useMemo } from "react";
import { openStory, type StoryColumns } from "../../../../../client/story/fold-story.ts";
import { useTexts } from "../../../texts/language.tsx";
import figures from "../figures/figures.module.css";
import { OUTSIDE_TEXTS } from "../outside-texts.ts";
import { STATE_ORDER } from "../states.ts";
import { seriesOf, startOf } from "../story/series.ts";
import styles from "./bar.module.css";
import { useDrawing } from "./use-drawing.ts";

const SLICES = 120;
const NOW = { at: null, since: null };

/** What happened since the campaign's start as a small picture; `until`: its end. */
export function MiniBar({ told, until }: { readonly told: StoryColumns; readonly until: number }) {
  const say = useTexts(OUTSIDE_TEXTS);
  const series = useMemo(() => {
    const story = openStory(told);
    const from = startOf(story) ?? story.times[0] ?? until;
    return seriesOf(story, from, Math.max(until, story.times.at(-1) ?? until), SLICES);
  }, [told, until]);
  const canvas = useDrawing(series, NOW);
  return (
    <div className={`${styles.bar} ${styles.mini}`} role="img" aria-label={say("life")}>
      {STATE_ORDER.map((state) => (
        <i key={state} className={figures[state]} />
      ))}
      <canvas ref={canvas} className={styles.canvas} />
    </div>
  );
}
