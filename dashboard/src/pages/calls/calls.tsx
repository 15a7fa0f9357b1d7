import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../../api/request.ts";
import { More } from "../../records/records.tsx";
import { useList } from "../../records/use-list.ts";
import { useRefresh } from "../../records/use-refresh.ts";
import { useScrolled } from "../../records/use-scrolled.ts";
import { useSearch } from "../../records/use-search.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button } from "../../ui/controls.tsx";
import { Page, stateOf } from "../../ui/page.tsx";
import { CallTable } from "./call-table.tsx";
import { CallFilters, wantedOf } from "./filters.tsx";
import { LiveCalls } from "./live-calls.tsx";
import { NoCall } from "./no-call.tsx";
import { TEXTS } from "./words.tsx";

const PATH = "/api/v1/calls";

export function Calls() {
  const say = useTexts(TEXTS);
  const [search] = useSearch();
  const wanted = wantedOf(search);
  const calls = useList(PATH, { query: wanted });
  const held = useScrolled();
  const [isNews, setNews] = useState(false);
  useRefresh(PATH, ({ type }) => type.startsWith("Call"), { held, onHeld: () => setNews(true) });
  const isFiltered = Object.values(wanted).some((value) => value !== undefined && value !== "");
  const show = () => {
    setNews(false);
    window.scrollTo({ top: 0 });
    void calls.refetch();
  };
  const state = stateOf({ ...calls, isEmpty: !isFiltered && calls.rows.length === 0 });
  return (
    <Page
      name="calls"
      title={say("title")}
      state={state}
      failure={calls.error}
      onRetry={() => void calls.refetch()}
      empty={<NoCall />}
      actions={
        held && isNews ? (
          <Button look="strong" data-testid="news" onClick={show}>
            {say("held")}
          </Button>
        ) : undefined
      }
    >
      <Now />
      <h2>{say("before")}</h2>
      <CallFilters />
      {calls.rows.length === 0 ? (
        <p>{say("empty.filtered")}</p>
      ) : (
        <CallTable label={say("before")} calls={calls.rows} />
      )}
      <More list={calls} />
    </Page>
  );
}

function Now() {
  const active = useQuery({
    queryKey: [PATH, "active"],
    queryFn: ({ signal }) => ask("GET", "/api/v1/calls/outbound/active", { signal }),
  });
  return active.data === undefined ? null : <LiveCalls answer={active.data} />;
}
