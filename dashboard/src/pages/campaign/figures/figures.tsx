import { memo } from "react";
import type { StoryMoment } from "../../../../../client/story/fold-story.ts";
import type { CampaignRecord } from "../../../../../contract/campaign.ts";
import { useFormat } from "../../../texts/format.ts";
import { useTexts } from "../../../texts/language.tsx";
import { Panel } from "../../../ui/controls.tsx";
import { en } from "../en.ts";
import { tr } from "../tr.ts";
import { type Counts, countsOf } from "./counts.ts";
import styles from "./figures.module.css";
import { Outcomes } from "./outcomes.tsx";
import { Shares } from "./shares.tsx";

type FiguresProps = {
  readonly moment: StoryMoment;
  /** The moment of the A-mark. */
  readonly since: StoryMoment | null;
  readonly campaign: CampaignRecord;
  /** For example what it waits for; null in the past. */
  readonly note: string | null;
};

/** The campaign's figures up to the selected moment. */
export function Figures({ moment, since, campaign, note }: FiguresProps) {
  const counts = countsOf(moment);
  const before = since === null ? null : countsOf(since);
  return (
    <div className={styles.figures}>
      <Panel>
        <Reached counts={counts} note={note} />
        <Tiles counts={counts} before={before} />
      </Panel>
      <Lines active={counts.activeCalls} most={campaign.effectiveMaxConcurrentCalls} />
      <Outcomes byEndReason={moment.byEndReason} />
    </div>
  );
}

function Reached({ counts, note }: { readonly counts: Counts; readonly note: string | null }) {
  const say = useTexts({ en, tr });
  const { number, percent } = useFormat();
  const { totalContacts: total, pendingCalls, activeCalls, waitingRetry } = counts;
  const done = total - pendingCalls - activeCalls;
  return (
    <>
      <div className={styles.done}>
        <strong>{percent(total === 0 ? 0 : done / total)}</strong>
        <span data-count="totalContacts" data-value={total}>
          {say("done-of", { done: number(done), total: number(total) })}
        </span>
      </div>
      <p className={styles.waits}>{note}</p>
      <Shares
        reached={counts.successfulCalls}
        failed={counts.failedCalls}
        waiting={waitingRetry}
        active={activeCalls}
        pending={pendingCalls - waitingRetry}
        skipped={counts.skippedContacts}
      />
    </>
  );
}

const TILES = [
  ["successfulCalls", "succeeded"],
  ["failedCalls", "failed"],
  ["activeCalls", "dialing"],
  ["pendingCalls", "pending"],
  ["waitingRetry", "waiting_retry"],
  ["skippedContacts", "skipped"],
  ["attempts", null],
] as const;

function Tiles({ counts, before }: { readonly counts: Counts; readonly before: Counts | null }) {
  const say = useTexts({ en, tr });
  const { number } = useFormat();
  return (
    <dl className={styles.tiles}>
      {TILES.map(([name, state]) => (
        <div key={name}>
          <dt>
            {state === null ? null : <i className={`${styles.dot} ${styles[state]}`} />}
            {say(`count.${name}`)}
          </dt>
          <dd data-count={name} data-value={counts[name]}>
            {number(counts[name])}
            {before === null ? null : <Change by={counts[name] - before[name]} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Change({ by }: { readonly by: number }) {
  const { number } = useFormat();
  if (by === 0) return null;
  return <span className={styles.change}>{by > 0 ? `+${number(by)}` : `−${number(-by)}`}</span>;
}

/** As wide as a digit, so that a right-aligned number keeps its place as it grows. */
const DIGIT_SPACE = "\u2007";
/** With more lines a cell stands for several. */
const MOST_CELLS = 200;
/** More cells are drawn small, because they would push the contacts out of sight. */
const LARGE_CELLS = 60;

const Lines = memo(function Lines({ active, most }: { readonly active: number; readonly most: number }) {
  const say = useTexts({ en, tr });
  const { number } = useFormat();
  const padded = number(active).padStart(number(most).length, DIGIT_SPACE);
  const lines = Math.max(most, active);
  const cells = Math.min(MOST_CELLS, lines);
  const busy = lines === cells ? active : Math.round((active / lines) * cells);
  const size = cells > LARGE_CELLS ? `${styles.lines} ${styles.many}` : styles.lines;
  return (
    <Panel
      title={say("lines")}
      actions={
        <span className={styles.steady}>{say("lines.of", { active: padded, most: number(most) })}</span>
      }
    >
      <div className={size} aria-hidden="true">
        {Array.from({ length: cells }, (_, cell) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
          <i key={cell} className={cell < busy ? styles.busy : styles.free} />
        ))}
      </div>
    </Panel>
  );
});
