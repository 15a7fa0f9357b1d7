import type { FeedEvent } from "../../live/feed-protocol.ts";
import { Bar, Json, More } from "../../records/records.tsx";
import { useList } from "../../records/use-list.ts";
import { useScrolled } from "../../records/use-scrolled.ts";
import { useSearch } from "../../records/use-search.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Field, Panel } from "../../ui/controls.tsx";
import { Page, stateOf } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import styles from "./events.module.css";
import { TEXTS } from "./texts.ts";
import { Thing, ThingName } from "./thing.tsx";
import { useTail } from "./use-tail.ts";

/** Names of the API. */
const TYPES = /^[A-Za-z]{1,64}(,[A-Za-z]{1,64}){0,49}$/;

/** A live tail that stops while the reader has scrolled down. */
export function Events() {
  const say = useTexts(TEXTS);
  const [search] = useSearch();
  const typed = (search["types"] ?? "").replaceAll(" ", "");
  const types = TYPES.test(typed) ? typed : undefined;
  const stream = (search["stream"] ?? "").trim() || undefined;
  const list = useList("/api/v1/events", { query: { order: "desc", types, stream } });
  const tail = useTail(useScrolled(), () => list.refetch({ cancelRefetch: false }));
  const known = new Set(list.rows.map(({ position }) => position));
  const fits = (event: FeedEvent) =>
    !known.has(event.position) &&
    (types === undefined || types.split(",").includes(event.type)) &&
    (stream === undefined || event.stream.endsWith(stream));
  const rows = [...tail.shown.filter(fits), ...list.rows];
  const waiting = tail.waiting.filter(fits).length;
  const isFiltered = typed !== "" || stream !== undefined;
  return (
    <Page
      name="events"
      title={say("title")}
      state={stateOf({ ...list, isEmpty: rows.length === 0 && !isFiltered })}
      failure={list.error}
      onRetry={() => void list.refetch()}
      empty={<p>{say("empty")}</p>}
    >
      <p>{say("told")}</p>
      <Filters fault={typed === "" || types !== undefined ? undefined : say("bad")} />
      {waiting === 0 ? null : (
        <div style={{ position: "sticky", top: 8, zIndex: 1 }}>
          <Button look="strong" data-testid="news" onClick={() => window.scrollTo({ top: 0 })}>
            {say("held", { count: waiting })}
          </Button>
        </div>
      )}
      {rows.length === 0 ? <p>{say("empty.filtered")}</p> : <Rows rows={rows} />}
      <More list={list} />
    </Page>
  );
}

function Rows({ rows }: { readonly rows: readonly FeedEvent[] }) {
  return (
    <Panel>
      <div className={styles.events} data-testid="events">
        {rows.map((event) => (
          <details key={event.position} data-event={event.type} data-position={event.position}>
            <summary>
              <Time at={event.occurredAt} />
              <code>{event.type}</code>
              <ThingName stream={event.stream} />
            </summary>
            <Thing stream={event.stream} />
            <Json value={event} />
          </details>
        ))}
      </div>
    </Panel>
  );
}

function Filters({ fault }: { readonly fault: string | undefined }) {
  const say = useTexts(TEXTS);
  const [search, change] = useSearch();
  return (
    <Bar>
      <Field
        label={say("types")}
        name="types"
        defaultValue={search["types"] ?? ""}
        hint={say("types.hint")}
        fault={fault}
        onBlur={({ target }) => change({ types: target.value })}
        onKeyDown={({ key, currentTarget }) => key === "Enter" && change({ types: currentTarget.value })}
      />
      <Field
        label={say("stream")}
        name="stream"
        defaultValue={search["stream"] ?? ""}
        hint={say("stream.hint")}
        onBlur={({ target }) => change({ stream: target.value })}
        onKeyDown={({ key, currentTarget }) => key === "Enter" && change({ stream: currentTarget.value })}
      />
    </Bar>
  );
}
