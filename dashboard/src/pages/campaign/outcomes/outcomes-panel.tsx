import { useOutcomeText } from "../../../records/outcome.tsx";
import { Fault, Muted } from "../../../records/records.tsx";
import { useFormat } from "../../../texts/format.ts";
import { useTexts } from "../../../texts/language.tsx";
import { Button, Panel } from "../../../ui/controls.tsx";
import { en } from "../en.ts";
import { tr } from "../tr.ts";
import styles from "./outcomes.module.css";
import type { Brought } from "./use-outcomes.ts";
import { wantedSuccess, wantedValue } from "./wanted.ts";

type OutcomesPanelProps = {
  readonly brought: Brought;
  readonly chosen: string | undefined;
  /** "": all. */
  readonly choose: (brought: string) => void;
};

/** Contacts by what their calls brought home at the selected moment; each figure lists its own. */
export function OutcomesPanel({ brought: { figures, failure, retry }, chosen, choose }: OutcomesPanelProps) {
  const say = useTexts({ en, tr });
  const frame = useTexts();
  const { number } = useFormat();
  const textOf = useOutcomeText();
  const state = failure ? "error" : figures === null ? "loading" : figures.analysed === 0 ? "empty" : "ready";
  const button = (label: string, wanted: string, count: number, total: number) => ({
    label,
    wanted,
    count,
    total,
    isChosen: chosen === wanted,
    choose,
  });
  return (
    <section data-testid="outcomes" data-state={state} aria-busy={state === "loading"}>
      <Panel
        title={say("brought")}
        actions={
          figures === null ? null : (
            <span data-count="analysed" data-value={figures.analysed}>
              {say("brought.analysed", { count: number(figures.analysed) })}
            </span>
          )
        }
      >
        {state === "error" ? (
          <>
            <Fault error={failure} />
            <Button onClick={retry}>{frame("error.retry")}</Button>
          </>
        ) : null}
        {state === "loading" ? <Muted>{frame("page.loading")}</Muted> : null}
        {state === "empty" ? <Muted>{say("brought.none")}</Muted> : null}
        {state !== "ready" || figures === null ? null : (
          <div className={styles.fields}>
            {figures.succeeded + figures.unsuccessful === 0 ? null : (
              <fieldset className={styles.field} data-field="success">
                <legend>{say("brought.success")}</legend>
                <Value
                  {...button(
                    frame("outcome.succeeded"),
                    wantedSuccess(true),
                    figures.succeeded,
                    figures.analysed,
                  )}
                />
                <Value
                  {...button(
                    frame("outcome.unsuccessful"),
                    wantedSuccess(false),
                    figures.unsuccessful,
                    figures.analysed,
                  )}
                />
              </fieldset>
            )}
            {Object.entries(figures.byField)
              .toSorted(([a], [b]) => a.localeCompare(b))
              .map(([name, counts]) => (
                <fieldset key={name} className={styles.field} data-field={name}>
                  <legend data-user-text="" dir="auto">
                    {name}
                  </legend>
                  {Object.entries(counts)
                    .toSorted(([, a], [, b]) => b - a)
                    .map(([value, count]) => (
                      <Value
                        key={value}
                        isUsers
                        {...button(textOf(truthOf(value)), wantedValue(name, value), count, figures.analysed)}
                      />
                    ))}
                </fieldset>
              ))}
          </div>
        )}
      </Panel>
    </section>
  );
}

/** Figures have a boolean as its text. */
const truthOf = (value: string): boolean | string =>
  value === "true" || value === "false" ? value === "true" : value;

type ValueProps = {
  readonly label: string;
  readonly isUsers?: boolean;
  readonly wanted: string;
  readonly count: number;
  readonly total: number;
  readonly isChosen: boolean;
  readonly choose: (brought: string) => void;
};

function Value({ label, isUsers = false, wanted, count, total, isChosen, choose }: ValueProps) {
  const { number, percent } = useFormat();
  return (
    <button
      type="button"
      className={styles.value}
      aria-pressed={isChosen}
      data-brought={wanted}
      data-value={count}
      onClick={() => choose(isChosen ? "" : wanted)}
    >
      <i style={{ width: `${(count / total) * 100}%` }} />
      <span {...(isUsers ? { "data-user-text": "", dir: "auto" } : {})}>{label}</span>
      <span>{number(count)}</span>
      <span className={styles.share}>{percent(count / total)}</span>
    </button>
  );
}
