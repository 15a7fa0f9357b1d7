import type { ReactNode } from "react";
import type { Story } from "../../../../../client/story/fold-story.ts";
import { useFormat } from "../../../texts/format.ts";
import { useTexts } from "../../../texts/language.tsx";
import { Button } from "../../../ui/controls.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { en } from "../en.ts";
import type { Life } from "../story/use-moment.ts";
import { tr } from "../tr.ts";
import styles from "./bar.module.css";
import { TimeBar } from "./time-bar.tsx";

type TimeTravelProps = {
  readonly story: Story;
  readonly life: Life;
  readonly since: number | null;
  /** The campaign's state at the selected moment; null: now. */
  readonly stood: ReactNode;
  readonly onCompare: () => void;
};

/** The time bar with its tools; it has an amber frame while a past moment is selected. */
export function TimeTravel({ story, life, since, stood, onCompare }: TimeTravelProps) {
  const say = useTexts({ en, tr });
  const { moment, time } = useFormat();
  const { at } = life;
  const isPast = at !== null;
  const play = life.isPlaying ? "stop" : isPast ? "play.here" : "play";
  return (
    <section
      className={`${styles.frame} ${isPast ? styles.past : ""}`}
      aria-label={say("slider")}
      {...(isPast ? { "data-testid": "past" } : {})}
    >
      <div className={styles.top}>
        {isPast ? (
          <span className={styles.pastTime} title={`${time(at)} · ${new Date(at).toISOString()}`}>
            {say("looking", { at: moment(at) })} {stood}
          </span>
        ) : (
          <h2>{say("life.title")}</h2>
        )}
        <div className={styles.tools}>
          <Button onClick={life.play} aria-pressed={life.isPlaying} data-testid="play">
            {say(play)}
          </Button>
          <Button
            onClick={onCompare}
            aria-pressed={since !== null}
            data-testid="compare"
            title={say("compare.told")}
          >
            {since === null ? (
              say(isPast ? "compare.past" : "compare")
            ) : (
              <>
                {say("compare.end", { at: moment(since) })} <Icon of="close" isSmall />
              </>
            )}
          </Button>
          {isPast ? (
            <Button look="strong" onClick={life.now} data-testid="now">
              {say("back-to-now")}
            </Button>
          ) : null}
        </div>
      </div>
      <TimeBar story={story} life={life} since={since} />
    </section>
  );
}
