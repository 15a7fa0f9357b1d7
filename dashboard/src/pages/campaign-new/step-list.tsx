import { useTexts } from "../../texts/language.tsx";
import { en } from "./en.ts";
import { STEPS, type Step } from "./steps.ts";
import { tr } from "./tr.ts";
import styles from "./wizard.module.css";

const TEXTS = { en, tr };

type StepListProps = {
  readonly current: Step;
  /** Number of steps that can be opened. */
  readonly reached: number;
  /** Those with a field that the service refused. */
  readonly refused: ReadonlySet<Step>;
  readonly go: (step: Step) => void;
};

export function StepList({ current, reached, refused, go }: StepListProps) {
  const say = useTexts(TEXTS);
  return (
    <nav aria-label={say("steps")}>
      <ol className={styles.steps}>
        {STEPS.map((step, place) => (
          <li key={step}>
            <button
              type="button"
              className={styles.step}
              disabled={place >= reached && step !== current}
              {...(step === current ? { "aria-current": "step" as const } : {})}
              onClick={() => go(step)}
            >
              {place + 1}. {say(`step.${step}`)}
              {refused.has(step) ? <b className={styles.refused}>{say("step.refused")}</b> : null}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
