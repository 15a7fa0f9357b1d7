import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type {
  RehearsalRecord,
  RehearsalRunRecord,
  RehearsalRunSummary,
} from "../../../../contract/rehearsal.ts";
import type { Expectation } from "../../../../domain/rehearsal/rehearsal.ts";
import { get } from "../../api/request.ts";
import { SuccessBadge, useOutcomeText } from "../../records/outcome.tsx";
import { Facts, Json, Muted, Row, UserText } from "../../records/records.tsx";
import { useSearch } from "../../records/use-search.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Badge, Button, Panel } from "../../ui/controls.tsx";
import layout from "../../ui/layout.module.css";
import { Failure } from "../../ui/page.tsx";
import { showMessage, Talk } from "../call/transcript.tsx";
import { useNames } from "../call/use-names.ts";
import { EndReason, useEndReason } from "../calls/words.tsx";
import styles from "./rehearsal.module.css";
import { PATH, REHEARSAL, TEXTS } from "./texts.ts";

const TONES = {
  waiting: "quiet",
  running: "accent",
  passed: "good",
  failed: "bad",
  error: "wait",
  cancelled: "quiet",
} as const;

type RunsProps = { readonly rehearsal: RehearsalRecord; readonly askedAgainIn: number | false };

/** The repeats of a case in a lane, and one of them: `?case=&lane=&n=`, else the first that did not pass. */
export function Runs({ rehearsal, askedAgainIn }: RunsProps) {
  const say = useTexts(TEXTS);
  const [shown, search] = useSearch();
  const { id, byCase, status } = rehearsal;
  const first = byCase.find(({ failed, errors }) => failed + errors > 0) ?? byCase[0];
  const caseName = shown["case"] ?? first?.case ?? "";
  const lane = shown["case"] === undefined ? (first?.lane ?? "candidate") : laneOf(shown["lane"]);
  const query = { case: caseName, lane };
  const runs = useQuery({
    // With the status: what was read before the end may lack the last run.
    queryKey: [PATH, id, "runs", query, status],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => get(`${REHEARSAL}/runs`, { params: { id }, query, signal }),
    refetchInterval: askedAgainIn,
  });
  const rows = runs.data ?? [];
  const one =
    rows.find(({ n }) => String(n) === shown["n"]) ??
    rows.find((run) => run.status === "failed" || run.status === "error") ??
    rows.find((run) => run.endedAt !== null) ??
    rows[0];
  return (
    <section data-testid="runs" data-case={caseName} data-lane={lane}>
      <Panel title={<UserText>{caseName}</UserText>}>
        <div className={`${layout.stack} ${layout.wide}`}>
          {runs.isError ? <Failure error={runs.error} onRetry={() => void runs.refetch()} /> : null}
          {runs.isPending ? <Muted>{say("run.loading")}</Muted> : null}
          {rows.length < 2 ? null : (
            <Row>
              {rows.map((run) => (
                <Button
                  key={run.runId}
                  aria-pressed={run.runId === one?.runId}
                  data-run={run.n}
                  onClick={() => search({ case: caseName, lane, n: String(run.n) })}
                >
                  {say("run.n", { n: run.n })} <StatusBadge run={run} />
                </Button>
              ))}
            </Row>
          )}
          {one === undefined ? null : <OneRun key={one.runId} id={id} run={one} />}
        </div>
      </Panel>
    </section>
  );
}

const laneOf = (text: string | undefined) => (text === "baseline" ? "baseline" : "candidate");

function StatusBadge({ run: { status } }: { readonly run: RehearsalRunSummary }) {
  const say = useTexts(TEXTS);
  return (
    <Badge tone={TONES[status]} data-status={status}>
      {say(`status.${status}`)}
    </Badge>
  );
}

function OneRun({ id, run }: { readonly id: string; readonly run: RehearsalRunSummary }) {
  const say = useTexts(TEXTS);
  const { runId, status, problem } = run;
  const whole = useQuery({
    queryKey: [PATH, id, runId, status],
    queryFn: ({ signal }) => get(`${REHEARSAL}/runs/:runId`, { params: { id, runId }, signal }),
    enabled: run.endedAt !== null && status !== "cancelled",
  });
  return (
    <>
      <Row>
        <StatusBadge run={run} />
        {run.outcome === null ? null : <SuccessBadge success={run.outcome.success} />}
        {run.endReason === null ? null : <EndReason endReason={run.endReason} />}
      </Row>
      {problem === null ? null : (
        <p role="alert" lang="en" data-testid="problem">
          {problem}
        </p>
      )}
      {whole.isError ? <Failure error={whole.error} onRetry={() => void whole.refetch()} /> : null}
      {whole.isPending ? (
        <Muted>{say(whole.fetchStatus === "idle" ? `run.${idleOf(status)}` : "run.loading")}</Muted>
      ) : null}
      {whole.data === undefined ? null : <Said run={whole.data} />}
    </>
  );
}

const idleOf = (status: RehearsalRunSummary["status"]) => (status === "cancelled" ? "cancelled" : "waits");

/** What did not hold, the figures, and the transcript in which it is marked. */
function Said({ run }: { readonly run: RehearsalRunRecord }) {
  const say = useTexts(TEXTS);
  const names = useNames();
  const { failures, warnings, messages } = run;
  const marked = (index: number) => failures.filter(({ messageIndex }) => messageIndex === index);
  return (
    <>
      {failures.length === 0 ? null : (
        <ul
          className={layout.stack}
          style={{ listStyle: "none", margin: 0, padding: 0 }}
          data-testid="failures"
        >
          {failures.map((failure, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: failures of a run that is over never move
            <li key={place} data-failure={place}>
              <FailureText of={failure} />
              {failure.messageIndex === null ? null : <ShowMessage index={failure.messageIndex} />}
            </li>
          ))}
        </ul>
      )}
      {warnings.map((warning) => (
        <p key={warning} data-warning={warning}>
          {say(`warning.${warning}`)}
        </p>
      ))}
      {messages.length === 0 ? <Muted>{say("run.silent")}</Muted> : null}
      <Talk
        messages={messages}
        names={names}
        noted={(index) =>
          marked(index).map((failure, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <FailureText key={place} of={failure} isMark />
          ))
        }
      />
      <Figures run={run} />
    </>
  );
}

function ShowMessage({ index }: { readonly index: number }) {
  const say = useTexts(TEXTS);
  return (
    <div>
      <Button data-testid="show-message" onClick={() => showMessage(index)}>
        {say("failure.show")}
      </Button>
    </div>
  );
}

type FailureProps = {
  readonly of: RehearsalRunRecord["failures"][number];
  /** Under the message that is to blame. */
  readonly isMark?: boolean;
};

function FailureText({ of: { expect, got }, isMark = false }: FailureProps) {
  const say = useTexts(TEXTS);
  const told = useExpectation();
  return (
    <div className={styles.failure} {...(isMark ? { "data-mark": "" } : {})}>
      <strong>{say("failure")}</strong> <UserText>{told(expect)}</UserText>
      {isMark ? null : (
        <div lang="en">
          <Muted>{say("failure.got")}</Muted>{" "}
          {typeof got === "string" ? <UserText>{got}</UserText> : <Json value={got} />}
        </div>
      )}
    </div>
  );
}

/** An expectation as a sentence. */
function useExpectation(): (expect: Expectation) => string {
  const say = useTexts(TEXTS);
  const ended = useEndReason();
  const answer = (value: unknown) =>
    typeof value === "boolean"
      ? say(value ? "yes" : "no")
      : value === null
        ? say("expect.unknown")
        : String(value);
  return (expect) => {
    if ("outcome" in expect)
      return Object.entries(expect.outcome)
        .map(([field, value]) => say("told.outcome", { field, value: answer(value) }))
        .join(", ");
    if ("success" in expect) return say(expect.success ? "told.success" : "told.no-success");
    if ("says" in expect) return say("told.says", { words: expect.says });
    if ("neverSays" in expect) return say("told.neverSays", { words: expect.neverSays.join("”, “") });
    if ("tool" in expect) {
      const given = expect.arguments === undefined ? "" : ` ${JSON.stringify(expect.arguments)}`;
      return say("told.tool", { tool: expect.tool }) + given;
    }
    if ("noTool" in expect) return say("told.noTool", { tool: expect.noTool });
    if ("handsOffTo" in expect) return say("told.handsOffTo", { name: expect.handsOffTo });
    if ("endReason" in expect) return say("told.endReason", { reason: ended(expect.endReason) });
    if ("optedOut" in expect) return say(expect.optedOut ? "told.optedOut" : "told.not-optedOut");
    if ("callback" in expect) return say(expect.callback ? "told.callback" : "told.no-callback");
    return say("told.turnsAtMost", { count: expect.turnsAtMost });
  };
}

function Figures({ run }: { readonly run: RehearsalRunRecord }) {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  const textOf = useOutcomeText();
  const { turns, toolCalls, inputTokens, outputTokens, firstTokenMs, outcome } = run;
  const figure = (value: number | null) => (value === null ? null : number(value));
  return (
    <Facts
      of={[
        ...Object.entries(outcome?.fields ?? {}).map(
          ([name, value]) => [name, <UserText key={name}>{textOf(value)}</UserText>] as const,
        ),
        [say("figure.turns"), figure(turns)],
        [say("figure.tools"), figure(toolCalls)],
        [say("figure.read"), figure(inputTokens)],
        [say("figure.written"), figure(outputTokens)],
        [say("figure.first"), figure(firstTokenMs)],
      ]}
    />
  );
}
