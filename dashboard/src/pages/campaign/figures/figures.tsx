import { memo, type ReactNode } from "react";
import type { StoryMoment } from "../../../../../client/story/fold-story.ts";
import { useFormat } from "../../../texts/format.ts";
import { useTexts } from "../../../texts/language.tsx";
import { en } from "../en.ts";
import { CALLBACK, type ContactState, OPTED_OUT, STATE_ORDER } from "../states.ts";
import { tr } from "../tr.ts";
import { type Counts, countsOf } from "./counts.ts";
import styles from "./figures.module.css";
import { Shares } from "./shares.tsx";

type FiguresProps = {
  readonly moment: StoryMoment;
  /** The moment of the A-mark. */
  readonly since: StoryMoment | null;
  /** Calls at once; null: not known of the past. */
  readonly lines: number | null;
  /** The state whose people are listed; undefined: all. */
  readonly chosen: string | undefined;
  /** Somebody asks at some time never to be called again; else there is no such figure. */
  readonly hasOptOuts: boolean;
  /** Somebody agrees at some time when to be called again; else there is no such figure. */
  readonly hasCallbacks: boolean;
  readonly choose: (status: string) => void;
};

/** Who is listed by a figure. */
type Listed = ContactState | typeof OPTED_OUT | typeof CALLBACK;

/** The API's name of the figure of each state. */
const NAMES = {
  succeeded: "successfulCalls",
  failed: "failedCalls",
  waiting_retry: "waitingRetry",
  dialing: "activeCalls",
  pending: "notCalledYet",
  skipped: "skippedContacts",
} as const satisfies Readonly<Record<ContactState, keyof Counts>>;

/** The campaign's figures at the selected moment in one row; each lists those whom it counts. */
export function Figures({ moment, since, lines, chosen, hasOptOuts, hasCallbacks, choose }: FiguresProps) {
  const say = useTexts({ en, tr });
  const { number } = useFormat();
  const counts = countsOf(moment);
  const before = since === null ? null : countsOf(since);
  const changeOf = (name: keyof Counts) => (before === null ? 0 : counts[name] - before[name]);
  const shared = (state: Listed | null, name: keyof Counts) => ({
    state,
    name,
    count: counts[name],
    most: state === "dialing" && lines !== null ? lines : counts[name],
    change: changeOf(name),
    isChosen: (chosen ?? "") === (state ?? ""),
    choose,
  });
  return (
    <section className={styles.figures} aria-label={say("figures")}>
      <Done counts={counts} />
      <Figure label={say("all")} {...shared(null, "totalContacts")} />
      {STATE_ORDER.map((state) => (
        <Figure
          key={state}
          label={say(`state.${state}`)}
          beside={state === "dialing" && lines !== null ? say("lines.of", { most: number(lines) }) : null}
          {...shared(state, NAMES[state])}
        />
      ))}
      {hasCallbacks ? (
        <Figure label={say("state.callback")} {...shared(CALLBACK, "waitingCallbacks")} />
      ) : null}
      {hasOptOuts ? <Figure label={say("opted-out")} {...shared(OPTED_OUT, "optedOut")} /> : null}
    </section>
  );
}

function Done({ counts }: { readonly counts: Counts }) {
  const say = useTexts({ en, tr });
  const { number, percent } = useFormat();
  const { totalContacts: total, pendingCalls, activeCalls, waitingRetry } = counts;
  const done = total - pendingCalls - activeCalls;
  return (
    <div className={styles.done}>
      <strong>{say("done", { share: percent(total === 0 ? 0 : done / total) })}</strong>
      <Shares
        reached={counts.successfulCalls}
        failed={counts.failedCalls}
        waiting={waitingRetry}
        active={activeCalls}
        pending={counts.notCalledYet}
        skipped={counts.skippedContacts}
      />
      <span data-count="pendingCalls" data-value={pendingCalls}>
        {say("left", { count: number(pendingCalls) })}
      </span>
    </div>
  );
}

type FigureProps = {
  /** null: all of them. */
  readonly state: Listed | null;
  readonly name: keyof Counts;
  readonly label: string;
  readonly beside?: ReactNode;
  readonly count: number;
  readonly most: number;
  readonly change: number;
  readonly isChosen: boolean;
  readonly choose: (status: string) => void;
};

const Figure = memo(function Figure({
  state,
  name,
  label,
  beside = null,
  count,
  most,
  change,
  isChosen,
  choose,
}: FigureProps) {
  const { number } = useFormat();
  return (
    <button
      type="button"
      className={styles.figure}
      aria-pressed={isChosen}
      {...(state === null ? {} : { "data-filter": state })}
      onClick={() => choose(isChosen ? "" : (state ?? ""))}
    >
      <span className={styles.label}>
        {state === null ? null : <i className={`${styles.dot} ${styles[state]}`} />}
        {label}
      </span>
      <span className={styles.value} data-count={name} data-value={count}>
        {/* As wide as it may become, so that what stands beside it stays there. */}
        <span style={{ minWidth: `${number(most).length}ch` }}>{number(count)}</span>
        {beside === null ? null : <small> {beside}</small>}
        {change === 0 ? null : (
          <small className={styles.change}>
            {" "}
            {change > 0 ? `+${number(change)}` : `−${number(-change)}`}
          </small>
        )}
      </span>
    </button>
  );
});
