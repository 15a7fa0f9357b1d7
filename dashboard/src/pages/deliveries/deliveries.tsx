import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useRefresh } from "../../records/use-refresh.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, LINK_BUTTON, Panel } from "../../ui/controls.tsx";
import layout from "../../ui/layout.module.css";
import { Page, type PageState } from "../../ui/page.tsx";
import { DELIVERIES, deliveriesQuery } from "./delivery-api.ts";
import { DeliveryDialog } from "./delivery-dialog.tsx";
import { DeliveryFilters } from "./delivery-filters.tsx";
import { DeliveryTable } from "./delivery-table.tsx";
import { en } from "./en.ts";
import { RangeReplay } from "./range-replay.tsx";
import { deliverySearchOf } from "./search.ts";
import { tr } from "./tr.ts";

const TEXTS = { en, tr };

/** The log of webhooks, newest first. */
export function Deliveries() {
  const say = useTexts(TEXTS);
  const own = useTexts();
  const navigate = useNavigate();
  const [isRange, setRange] = useState(false);
  const { id, ...filter } = deliverySearchOf(useSearch({ strict: false }));
  const list = useInfiniteQuery(deliveriesQuery(filter));
  // Each of them has a delivery a moment later.
  useRefresh(DELIVERIES, ({ type }) => type.startsWith("Call") || type.startsWith("Campaign"));
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const open = (wanted?: string) =>
    void navigate({ to: "/deliveries", search: wanted === undefined ? filter : { ...filter, id: wanted } });
  const state = (): PageState => {
    if (list.data === undefined) return list.isError ? "error" : "loading";
    return rows.length === 0 && !isFiltered ? "empty" : "ready";
  };
  return (
    <Page
      name="deliveries"
      title={say("title")}
      state={state()}
      failure={list.error}
      onRetry={() => void list.refetch()}
      actions={
        state() === "empty" ? (
          <Link to="/webhooks" className={LINK_BUTTON}>
            {say("empty.link")}
          </Link>
        ) : (
          <Button data-testid="open-range" onClick={() => setRange(true)}>
            {say("range")}
          </Button>
        )
      }
      empty={<p>{say("empty")}</p>}
    >
      <DeliveryFilters
        key={JSON.stringify(filter)}
        filter={filter}
        onFilter={(search) => void navigate({ to: "/deliveries", search })}
      />
      <Panel>
        <div className={`${layout.stack} ${layout.wide}`}>
          {rows.length === 0 ? <p>{say("empty.filtered")}</p> : <DeliveryTable rows={rows} onOpen={open} />}
          {list.hasNextPage ? (
            <div>
              <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                {own("list.more")}
              </Button>
            </div>
          ) : null}
        </div>
      </Panel>
      {isRange ? <RangeReplay onClose={() => setRange(false)} /> : null}
      {id === undefined ? null : <DeliveryDialog key={id} id={id} onClose={() => open()} />}
    </Page>
  );
}
