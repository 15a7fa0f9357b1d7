import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useCallback, useDeferredValue, useEffect, useRef } from "react";
import type { CampaignRecord } from "../../../../contract/campaign.ts";
import type { CampaignStatus } from "../../api/campaigns.ts";
import { ask } from "../../api/request.ts";
import { useFeed } from "../../live/feed.ts";
import type { FeedEvent } from "../../live/feed-protocol.ts";
import { Filters } from "../../records/records.tsx";
import { useTexts } from "../../texts/language.tsx";
import { Button, Choice, Field, Panel } from "../../ui/controls.tsx";
import { Page, stateOf } from "../../ui/page.tsx";
import { statusText } from "../campaign/status-text.ts";
import { CampaignRows } from "./campaign-rows.tsx";
import styles from "./campaigns.module.css";
import { en } from "./en.ts";
import { NewCampaign } from "./new-campaign.tsx";
import { PauseAll } from "./pause-all.tsx";
import { CAMPAIGN_STATUSES, campaignsSearch } from "./search.ts";
import { tr } from "./tr.ts";

const route = getRouteApi("/campaigns");
const LIST = ["campaigns"];
const PAGE = 200;
const REFRESH_MILLIS = 500;

/** Every campaign, newest first, with its progress and when it continues. */
export function Campaigns() {
  const say = useTexts({ en, tr });
  const frame = useTexts();
  const { q = "", status } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useCampaigns(status);
  useWhole(q !== "", list);
  const all = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const wanted = useDeferredValue(q).toLocaleLowerCase();
  const found = all.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
  const state = stateOf({ ...list, isEmpty: all.length === 0 && status === undefined });
  const search = (change: { readonly q?: string; readonly status?: string }) =>
    void navigate({ search: (before) => campaignsSearch({ ...before, ...change }), replace: true });
  return (
    <Page
      name="campaigns"
      title={frame("nav.campaigns")}
      state={state}
      failure={list.error}
      onRetry={() => void list.refetch()}
      actions={
        <>
          {all.some(callsByItself) ? <PauseAll /> : null}
          <NewCampaign />
        </>
      }
      empty={<p>{say("empty")}</p>}
    >
      <Panel>
        <Filters chosen={[q, status].filter(Boolean).length}>
          <div className={styles.filters}>
            <Field
              label={say("search")}
              name="q"
              type="search"
              value={q}
              onChange={({ target }) => search({ q: target.value })}
            />
            <Choice
              label={say("status")}
              name="status"
              value={status ?? ""}
              onChange={({ target }) => search({ status: target.value })}
            >
              <option value="">{say("status.all")}</option>
              {CAMPAIGN_STATUSES.map((each) => (
                <option key={each} value={each}>
                  {statusText(say, each)}
                </option>
              ))}
            </Choice>
          </div>
        </Filters>
        {found.length === 0 ? (
          <p className={styles.none}>{say("none")}</p>
        ) : (
          <CampaignRows campaigns={found} />
        )}
        {list.hasNextPage ? (
          <Button onClick={() => void list.fetchNextPage()}>{frame("list.more")}</Button>
        ) : null}
      </Panel>
    </Page>
  );
}

/** It calls people, or resumes by itself. */
function callsByItself({ status, pauseReason }: CampaignRecord): boolean {
  return status === "RUNNING" || (status === "PAUSED" && pauseReason !== "manual");
}

/** Loads the whole list for a search, also the part that was not scrolled to. */
function useWhole(isWanted: boolean, list: ReturnType<typeof useCampaigns>): void {
  const { hasNextPage, isFetching, fetchNextPage } = list;
  useEffect(() => {
    if (isWanted && hasNextPage && !isFetching) void fetchNextPage();
  }, [isWanted, hasNextPage, isFetching, fetchNextPage]);
}

function useCampaigns(status: CampaignStatus | undefined) {
  const queries = useQueryClient();
  const due = useRef(false);
  const refresh = useCallback(
    (events: readonly FeedEvent[]) => {
      if (due.current || !events.some(({ stream }) => stream.startsWith("campaign-"))) return;
      due.current = true;
      setTimeout(() => {
        due.current = false;
        void queries.invalidateQueries({ queryKey: LIST });
      }, REFRESH_MILLIS);
    },
    [queries],
  );
  useFeed(refresh);
  return useInfiniteQuery({
    queryKey: [...LIST, status],
    queryFn: ({ pageParam, signal }) =>
      ask("GET", "/api/v1/campaigns", { query: { limit: PAGE, status, cursor: pageParam }, signal }),
    initialPageParam: "",
    getNextPageParam: ({ pagination }) => pagination?.nextCursor ?? undefined,
  });
}
