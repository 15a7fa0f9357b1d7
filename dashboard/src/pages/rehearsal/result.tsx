import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { AssistantRecord } from "../../../../contract/assistant.ts";
import type { RehearsalRecord } from "../../../../contract/rehearsal.ts";
import { get, post, remove } from "../../api/request.ts";
import { Confirm } from "../../records/confirm.tsx";
import { Beside, Fault, Figure, Muted, Row, Table, UserText } from "../../records/records.tsx";
import { useCommand } from "../../records/use-command.ts";
import { useSearch } from "../../records/use-search.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Badge, Button, LINK_BUTTON, Panel } from "../../ui/controls.tsx";
import layout from "../../ui/layout.module.css";
import { Page, type PageHead, stateOf } from "../../ui/page.tsx";
import { Earlier, type EarlierProps, Verdict } from "./earlier.tsx";
import { Publish } from "./publish.tsx";
import { Runs } from "./runs.tsx";
import { PATH, REHEARSAL, TEXTS } from "./texts.ts";

const ASKED_AGAIN_MILLIS = 1_000;
/** Rehearsals are no events of the feed, so one that goes on is asked for again. */
const askedAgainIn = (of: RehearsalRecord | undefined): number | false =>
  of?.status === "running" && ASKED_AGAIN_MILLIS;

type ResultProps = EarlierProps & {
  readonly head: PageHead;
  readonly assistant: AssistantRecord;
  readonly id: string;
};

/** What came of a rehearsal: by case and lane, and beside it what was said. */
export function Result({ head, assistant, id, rehearsals }: ResultProps) {
  const rehearsal = useQuery({
    queryKey: [PATH, id],
    queryFn: ({ signal }) => get(REHEARSAL, { params: { id }, signal }),
    refetchInterval: ({ state }) => askedAgainIn(state.data),
  });
  const { data } = rehearsal;
  return (
    <Page
      {...head}
      title={data === undefined ? head.title : <UserText>{data.name}</UserText>}
      status={data === undefined ? null : <Verdict of={data} />}
      state={stateOf({ ...rehearsal, isEmpty: false })}
      failure={rehearsal.error}
      onRetry={() => void rehearsal.refetch()}
      actions={data === undefined ? undefined : <Commands rehearsal={data} assistant={assistant} />}
    >
      {data === undefined ? null : (
        <>
          <Told rehearsal={data} />
          <Beside facts={data.erased ? null : <Runs rehearsal={data} askedAgainIn={askedAgainIn(data)} />}>
            <ByCase rehearsal={data} />
            <Earlier rehearsals={rehearsals.map((each) => (each.id === id ? data : each))} />
          </Beside>
        </>
      )}
    </Page>
  );
}

function Commands({
  rehearsal,
  assistant,
}: {
  readonly rehearsal: RehearsalRecord;
  readonly assistant: AssistantRecord;
}) {
  const say = useTexts(TEXTS);
  const frame = useTexts();
  const [isAsked, setAsked] = useState(false);
  const [, search] = useSearch();
  const { id, status } = rehearsal;
  const cancel = useCommand(PATH);
  const removal = useCommand(PATH);
  const gone = async () => {
    const done = await removal.run(() => remove(REHEARSAL, { params: { id } }));
    if (done !== undefined) search({ rehearsal: "", case: "", lane: "", n: "" });
  };
  return (
    <>
      <Publish rehearsal={rehearsal} assistant={assistant} />
      {status === "running" ? (
        <Button
          data-testid="cancel"
          disabled={cancel.busy}
          onClick={() => void cancel.run(() => post(`${REHEARSAL}/cancel`, { params: { id } }))}
        >
          {say("cancel")}
        </Button>
      ) : null}
      {rehearsal.erased ? null : (
        <Link
          to="/assistants/$id/rehearsal"
          params={{ id: assistant.id }}
          search={{ from: id }}
          className={LINK_BUTTON}
          data-testid="again"
        >
          {say("again")}
        </Link>
      )}
      <Button look="danger" data-testid="remove" onClick={() => setAsked(true)}>
        {frame("delete")}
      </Button>
      <Fault error={cancel.fault} />
      {isAsked ? (
        <Confirm
          title={say("remove.title")}
          action={frame("delete")}
          command={removal}
          onConfirm={() => void gone()}
          onClose={() => setAsked(false)}
        >
          <p>{say("remove.told")}</p>
        </Confirm>
      ) : null}
    </>
  );
}

/** Where it stands, and why it ended if that is not by itself. */
function Told({ rehearsal }: { readonly rehearsal: RehearsalRecord }) {
  const say = useTexts(TEXTS);
  const { number, percent } = useFormat();
  const { status, progress, waitingFor, endedBecause, erased, passed, failed, errors, tokens } = rehearsal;
  const all = tokens.inputTokens + tokens.outputTokens;
  return (
    <>
      <div role="status" data-testid="told">
        {status === "running" ? (
          <Row>
            <progress value={progress} aria-label={say("progress")} data-testid="progress" />
            {percent(progress)}
          </Row>
        ) : null}
        {waitingFor === null ? null : <p data-waiting={waitingFor}>{say(`waiting.${waitingFor}`)}</p>}
        {endedBecause === null || endedBecause === "finished" ? null : (
          <p data-because={endedBecause}>{say(`because.${endedBecause}`)}</p>
        )}
        {erased ? <p data-testid="erased">{say("erased")}</p> : null}
      </div>
      <div className={layout.figures}>
        {Object.entries({ passed, failed, errors }).map(([name, count]) => (
          <Figure key={name} name={say(`count.${countOf(name)}`)} count={name} value={count}>
            {number(count)}
          </Figure>
        ))}
        <Figure name={say("count.tokens")} count="tokens" value={all}>
          {number(all)}
        </Figure>
      </div>
    </>
  );
}

const countOf = (name: string) => (name === "passed" || name === "failed" ? name : "errors");

type Cell = RehearsalRecord["byCase"][number];

/** A row for each case, a column for each lane; a cell opens its runs. */
function ByCase({ rehearsal }: { readonly rehearsal: RehearsalRecord }) {
  const say = useTexts(TEXTS);
  const { byCase, baseline, version } = rehearsal;
  const lanes = baseline ? (["candidate", "baseline"] as const) : (["candidate"] as const);
  const cells = lanes.map((lane) => byCase.filter((cell) => cell.lane === lane));
  const heads = [
    say("case"),
    version === "draft" || version === "published"
      ? say(`version.${version}`)
      : say("version.number", { version }),
    ...(baseline ? [say("version.published")] : []),
  ];
  return (
    <Panel title={say("cases")}>
      {byCase.length === 0 ? <Muted>{say("cases.none")}</Muted> : null}
      <Table label={say("cases")} heads={heads}>
        {(cells[0] ?? []).map((cell, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: cases never change places
          <tr key={place} data-case={place}>
            <td>
              {cell.case === null ? <Muted>{say("erased.name")}</Muted> : <UserText>{cell.case}</UserText>}
            </td>
            {cells.map((lane) => {
              const of = lane[place];
              return of === undefined ? (
                <td key="none" />
              ) : (
                <td key={of.lane}>
                  <OneCell of={of} isErased={rehearsal.erased} />
                </td>
              );
            })}
          </tr>
        ))}
      </Table>
    </Panel>
  );
}

function OneCell({ of, isErased }: { readonly of: Cell; readonly isErased: boolean }) {
  const say = useTexts(TEXTS);
  const [shown, search] = useSearch();
  const { lane, passed, failed, errors, waiting, cancelled, isPassed } = of;
  const all = passed + failed + errors + waiting + cancelled;
  const tone = isPassed === null ? "quiet" : isPassed ? "good" : errors > 0 && failed === 0 ? "wait" : "bad";
  const value = isPassed === null ? "open" : isPassed ? "passed" : "failed";
  const told = say("cell", { passed, all });
  const badge = (
    <Badge tone={tone} data-cell={lane} data-value={value}>
      {told}
      {errors > 0 ? ` · ${say("cell.errors", { count: errors })}` : ""}
    </Badge>
  );
  if (isErased || of.case === null) return badge;
  const isShown = shown["case"] === of.case && (shown["lane"] ?? "candidate") === lane;
  return (
    <Button
      aria-label={`${of.case}: ${told}`}
      aria-pressed={isShown}
      data-testid="open-cell"
      data-user-text=""
      onClick={() => search({ case: of.case ?? "", lane, n: "" })}
    >
      {badge}
    </Button>
  );
}
