import { useFormat } from "../../../texts/format.ts";
import { useTexts } from "../../../texts/language.tsx";
import { Panel } from "../../../ui/controls.tsx";
import { EndReason } from "../../calls/words.tsx";
import { en } from "../en.ts";
import { tr } from "../tr.ts";
import styles from "./figures.module.css";

/** As many as fit beside the time bar. */
const SHOWN = 5;

/** Ended attempts by end reason, the most frequent first. */
export function Outcomes({ byEndReason }: { readonly byEndReason: Readonly<Record<string, number>> }) {
  const say = useTexts({ en, tr });
  const { number, percent } = useFormat();
  const all = Object.entries(byEndReason).toSorted(([, a], [, b]) => b - a);
  const total = all.reduce((sum, [, count]) => sum + count, 0);
  const most = all[0]?.[1] ?? 1;
  return (
    <Panel title={say("outcomes")} actions={<span>{number(total)}</span>}>
      {total === 0 ? <p className={styles.note}>{say("outcomes.none")}</p> : null}
      <ul className={styles.outcomes}>
        {all.slice(0, SHOWN).map(([reason, count]) => (
          <li key={reason} data-end-reason={reason} data-value={count}>
            <EndReason endReason={reason} />
            <i style={{ width: `${(count / most) * 100}%` }} />
            <span>{number(count)}</span>
            <span className={styles.share}>{percent(count / total)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
