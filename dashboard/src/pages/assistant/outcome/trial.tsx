import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { OutcomeTestRecord } from "../../../../../contract/outcome-test.ts";
import type { OutcomeSettings } from "../../../../../domain/outcome/settings.ts";
import { get, post } from "../../../api/request.ts";
import { Fault, Muted } from "../../../records/records.tsx";
import { useCommand } from "../../../records/use-command.ts";
import { ALL, useList } from "../../../records/use-list.ts";
import { useFormat } from "../../../texts/format.ts";
import { useTexts } from "../../../texts/language.tsx";
import { Button, Choice, Panel } from "../../../ui/controls.tsx";
import layout from "../../../ui/layout.module.css";
import { Failure } from "../../../ui/page.tsx";
import { ASSISTANT } from "../../assistants/texts.ts";
import { Answers } from "./answers.tsx";
import { en } from "./en.ts";
import styles from "./outcome.module.css";
import { Talk } from "./talk.tsx";
import { tr } from "./tr.ts";

const PAST = { ...ALL, status: "completed" } as const;
const CALL = "/api/v1/calls/:callId";

type TrialProps = {
  readonly assistantId: string;
  /** As the form has it; null: it asks for nothing. */
  readonly outcome: OutcomeSettings | null;
  /** Marks what the service refuses at its control, and throws it on. */
  readonly onRefused: (error: unknown) => never;
};

type Tried = { readonly asked: OutcomeSettings; readonly callId: string; readonly answer: OutcomeTestRecord };

/** What a past call answers to the fields of the form, beside its words. */
export function Trial({ assistantId, outcome, onRefused }: TrialProps) {
  const say = useTexts({ en, tr });
  const calls = useList("/api/v1/calls", { query: PAST });
  const answered = calls.rows.filter(({ connectedAt }) => connectedAt !== null);
  const own = answered.filter((call) => call.assistantId === assistantId);
  const others = answered.filter((call) => call.assistantId !== assistantId);
  const [chosen, setChosen] = useState<string | null>(null);
  const [tried, setTried] = useState<Tried | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  const { busy, fault, run } = useCommand();
  const callId = chosen ?? [...own, ...others][0]?.id;
  const ask = async (of: string, asked: OutcomeSettings) => {
    setShown(null);
    setTried(null);
    const body = { callId: of, outcome: asked };
    const answer = await run(() =>
      post(`${ASSISTANT}/outcome/test`, { params: { id: assistantId }, body }).catch(onRefused),
    );
    if (answer !== undefined) setTried({ asked, callId: of, answer });
  };
  const choose = (id: string) => {
    setChosen(id);
    setTried(null);
    setShown(null);
  };
  const result = tried?.callId === callId ? tried : null;
  const start = callId !== undefined && outcome !== null ? () => void ask(callId, outcome) : null;
  return (
    <Panel title={say("try")}>
      <div className={styles.form} data-testid="outcome-trial" data-state={stateOfTrial(calls, busy, result)}>
        <Muted>{say("try.told")}</Muted>
        {calls.isPending ? <Muted>{say("talk.loading")}</Muted> : null}
        {calls.isError ? <Failure error={calls.error} onRetry={() => void calls.refetch()} /> : null}
        {calls.isSuccess && callId === undefined ? <p>{say("try.no-calls")}</p> : null}
        {callId === undefined ? null : (
          <>
            <div className={layout.row}>
              <CallChoice own={own} others={others} value={callId} onChoose={choose} />
              <Button
                data-testid="try-outcome"
                disabled={busy || start === null}
                onClick={start ?? undefined}
              >
                {say(result === null ? "try.run" : "try.again")}
              </Button>
            </div>
            {outcome === null ? <p>{say("try.first")}</p> : null}
            <Fault error={fault} />
            <div className={styles.tried}>
              <div role="status" className={styles.form}>
                {busy ? say("try.reads") : null}
                {busy || result !== null ? null : <Muted>{say("try.none")}</Muted>}
                {result === null ? null : (
                  <>
                    {JSON.stringify(result.asked) === JSON.stringify(outcome) ? null : (
                      <p data-testid="stale">{say("try.stale")}</p>
                    )}
                    <Answers asked={result.asked} answer={result.answer} shown={shown} onShow={setShown} />
                  </>
                )}
              </div>
              <PastCall callId={callId} evidence={result?.answer.outcome?.evidence ?? {}} shown={shown} />
            </div>
          </>
        )}
      </div>
    </Panel>
  );
}

/** As a page has it. */
function stateOfTrial(
  calls: { readonly isPending: boolean; readonly isError: boolean },
  busy: boolean,
  result: Tried | null,
): "loading" | "error" | "ready" | "empty" {
  if (calls.isPending || busy) return "loading";
  if (calls.isError) return "error";
  return result === null ? "empty" : "ready";
}

type Listed = { readonly id: string; readonly to: string; readonly createdAt: string };
type CallChoiceProps = {
  readonly own: readonly Listed[];
  readonly others: readonly Listed[];
  readonly value: string;
  readonly onChoose: (id: string) => void;
};

function CallChoice({ own, others, value, onChoose }: CallChoiceProps) {
  const say = useTexts({ en, tr });
  const { moment } = useFormat();
  const group = (key: "try.own" | "try.others", calls: readonly Listed[]) =>
    calls.length === 0 ? null : (
      <optgroup label={say(key)}>
        {calls.map(({ id, to, createdAt }) => (
          <option key={id} value={id}>
            {to} · {moment(createdAt)}
          </option>
        ))}
      </optgroup>
    );
  return (
    <Choice
      label={say("try.call")}
      name="callId"
      value={value}
      onChange={({ target }) => onChoose(target.value)}
    >
      {group("try.own", own)}
      {group("try.others", others)}
    </Choice>
  );
}

type PastCallProps = {
  readonly callId: string;
  readonly evidence: Readonly<Record<string, readonly number[]>>;
  readonly shown: string | null;
};

function PastCall({ callId, evidence, shown }: PastCallProps) {
  const say = useTexts({ en, tr });
  const call = useQuery({
    queryKey: [`/api/v1/calls/${callId}`],
    queryFn: ({ signal }) => get(CALL, { params: { callId }, signal }),
  });
  if (call.isPending) return <Muted>{say("talk.loading")}</Muted>;
  if (call.isError) return <Failure error={call.error} onRetry={() => void call.refetch()} />;
  return <Talk call={call.data} evidence={evidence} shown={shown} />;
}
