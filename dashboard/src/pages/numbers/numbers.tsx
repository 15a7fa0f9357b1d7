import { Link } from "@tanstack/react-router";
import { useDeferredValue } from "react";
import type { CallListRecord } from "../../../../contract/call.ts";
import { Digits, More, Table } from "../../records/records.tsx";
import { useList } from "../../records/use-list.ts";
import { useRefresh } from "../../records/use-refresh.ts";
import { useSearch } from "../../records/use-search.ts";
import { numberIn } from "../../shell/palette/hits.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Field } from "../../ui/controls.tsx";
import { Page, stateOf } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { NoCall } from "../calls/no-call.tsx";
import { EndReason } from "../calls/words.tsx";
import { TEXTS } from "./texts.ts";

const PATH = "/api/v1/calls";
const SHORTEST = 3;

/** Recently called numbers, the last call first, and a search for any other. */
export function Numbers() {
  const say = useTexts(TEXTS);
  const [{ q = "" }, change] = useSearch();
  const wanted = useDeferredValue(q.trim());
  const list = useList(PATH, {
    query: { limit: 100, q: wanted.length < SHORTEST ? undefined : wanted.slice(0, 100) },
  });
  useRefresh(
    PATH,
    ({ type }) => type === "CallRequested" || type === "CallCompleted" || type === "CallFailed",
  );
  const numbers = numbersOf(list.rows);
  const whole = numberIn(q);
  return (
    <Page
      name="numbers"
      title={say("title")}
      state={stateOf({ ...list, isEmpty: q === "" && list.rows.length === 0 })}
      failure={list.error}
      onRetry={() => void list.refetch()}
      empty={<NoCall>{say("empty")}</NoCall>}
    >
      <p>{say("told")}</p>
      <Field
        label={say("search")}
        hint={say("search.hint")}
        name="q"
        type="search"
        maxLength={100}
        dir="auto"
        value={q}
        onChange={({ target }) => change({ q: target.value })}
      />
      {whole === null ? null : (
        <Link to="/numbers/$number" params={{ number: whole }} data-testid="open-number">
          {say("open", { number: whole })}
        </Link>
      )}
      {numbers.length === 0 ? <p>{say("none")}</p> : <NumberTable numbers={numbers} />}
      <More list={list} />
    </Page>
  );
}

type Called = { readonly number: string; readonly last: CallListRecord; readonly calls: number };

function numbersOf(calls: readonly CallListRecord[]): readonly Called[] {
  const byNumber = Map.groupBy(calls, ({ to }) => to);
  return [...byNumber].flatMap(([number, all]) =>
    all[0] === undefined ? [] : [{ number, last: all[0], calls: all.length }],
  );
}

function NumberTable({ numbers }: { readonly numbers: readonly Called[] }) {
  const say = useTexts(TEXTS);
  const { number: format } = useFormat();
  return (
    <Table label={say("title")} heads={[say("number"), say("last"), say("end"), { number: say("calls") }]}>
      {numbers.map(({ number, last, calls }) => (
        <tr key={number} data-number={number}>
          <td>
            <Link to="/numbers/$number" params={{ number }} dir="ltr">
              {number}
            </Link>
          </td>
          <td>
            <Time at={last.createdAt} />
          </td>
          <td>
            <EndReason endReason={last.endReason} />
          </td>
          <Digits>{format(calls)}</Digits>
        </tr>
      ))}
    </Table>
  );
}
