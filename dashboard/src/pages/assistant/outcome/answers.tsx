import type { OutcomeTestRecord } from "../../../../../contract/outcome-test.ts";
import type { OutcomeField, OutcomeSettings } from "../../../../../domain/outcome/settings.ts";
import { Json, Muted, UserText } from "../../../records/records.tsx";
import { useFormat } from "../../../texts/format.ts";
import { useTexts } from "../../../texts/language.tsx";
import { Badge, Button } from "../../../ui/controls.tsx";
import { Time } from "../../../ui/time.tsx";
import { en } from "./en.ts";
import styles from "./outcome.module.css";
import { tr } from "./tr.ts";

type Tried = NonNullable<OutcomeTestRecord["outcome"]>;
type Scalar = Tried["fields"][string] | undefined;

type AnswersProps = {
  readonly asked: OutcomeSettings;
  readonly answer: OutcomeTestRecord;
  /** The field whose messages are looked at. */
  readonly shown: string | null;
  readonly onShow: (name: string) => void;
};

/** The values that would be stored, each one press away from the messages that prove it. */
export function Answers({ asked, answer, shown, onShow }: AnswersProps) {
  const { failure, outcome } = answer;
  return (
    <>
      {failure === null ? null : <Failed failure={failure} />}
      {outcome === null ? null : (
        <>
          <Told asked={asked} outcome={outcome} />
          <ul className={styles.answers}>
            {asked.fields.map((field) => (
              <Answer key={field.name} field={field} outcome={outcome} shown={shown} onShow={onShow} />
            ))}
          </ul>
        </>
      )}
      <Asked answer={answer} />
    </>
  );
}

function Failed({
  failure: { reason, message },
}: {
  readonly failure: NonNullable<OutcomeTestRecord["failure"]>;
}) {
  const say = useTexts({ en, tr });
  return (
    <div className={styles.fault} role="alert" data-testid="no-answer" data-value={reason}>
      <p>
        {say("try.failed")} {say(`failure.${reason}`)}:
      </p>
      <span lang="en">
        <UserText>{message}</UserText>
      </span>
    </div>
  );
}

/** Of the whole call: a success or not, and the summary. */
function Told({ asked, outcome }: { readonly asked: OutcomeSettings; readonly outcome: Tried }) {
  const say = useTexts({ en, tr });
  const { success, summary, truncated } = outcome;
  const verdict = success === null ? "success.unknown" : success ? "succeeded" : "not-succeeded";
  const tone = success === null ? "quiet" : success ? "good" : "bad";
  return (
    <>
      {asked.success === null ? null : (
        <div>
          <Badge tone={tone} data-testid="success" data-value={String(success)}>
            {say(verdict)}
          </Badge>
        </div>
      )}
      {summary === null ? null : <UserText>{summary}</UserText>}
      {truncated ? <Muted>{say("truncated")}</Muted> : null}
    </>
  );
}

type AnswerProps = Pick<AnswersProps, "shown" | "onShow"> & {
  readonly field: OutcomeField;
  readonly outcome: Tried;
};

function Answer({ field, outcome, shown, onShow }: AnswerProps) {
  const say = useTexts({ en, tr });
  const { name } = field;
  const value = outcome.fields[name];
  const proof = outcome.evidence[name] ?? [];
  const none = outcome.unsupported.includes(name) ? "proof.none" : "proof.unasked";
  return (
    <li data-answer={name} data-value={String(value ?? "")} data-shown={name === shown}>
      <span className={styles.who} data-user-text="">
        {name}
      </span>
      <strong>
        <Shown field={field} value={value} />
      </strong>
      {proof.length === 0 ? (
        <Muted>{say(none)}</Muted>
      ) : (
        <Button data-testid="show-proof" aria-pressed={name === shown} onClick={() => onShow(name)}>
          {say("proof.show", { count: proof.length })}
        </Button>
      )}
    </li>
  );
}

/** A value as the reader's language has it. */
function Shown({ field: { type }, value }: { readonly field: OutcomeField; readonly value: Scalar }) {
  const say = useTexts({ en, tr });
  const { number } = useFormat();
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return say(value ? "yes" : "no");
  if (typeof value === "number") return number(value);
  return type === "datetime" ? <Time at={value} /> : <UserText>{value}</UserText>;
}

/** What the model was given, for whoever wonders why it answers so. */
function Asked({ answer: { request, tokens } }: { readonly answer: OutcomeTestRecord }) {
  const say = useTexts({ en, tr });
  const { number } = useFormat();
  const count = (of: number | null) => (of === null ? "–" : number(of));
  return (
    <>
      {tokens === null ? null : (
        <Muted>
          <span data-user-text="">
            {say("tokens", {
              model: tokens.name,
              input: count(tokens.inputTokens),
              output: count(tokens.outputTokens),
            })}
          </span>
        </Muted>
      )}
      <details>
        <summary>{say("asked")}</summary>
        <pre className={styles.request} data-user-text="" dir="auto">
          {`${request.system}\n\n${request.user}`}
        </pre>
        <p>{say("asked.schema")}</p>
        <Json value={request.jsonSchema} />
      </details>
    </>
  );
}
