import type { FeedEvent } from "../../live/feed-protocol.ts";
import { CampaignChoice, useCampaignNames } from "../../records/campaign-choice.tsx";
import { Bar, Filters, Json, More } from "../../records/records.tsx";
import { useList } from "../../records/use-list.ts";
import { useScrolled } from "../../records/use-scrolled.ts";
import { useSearch } from "../../records/use-search.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Check, Chips, Panel } from "../../ui/controls.tsx";
import { Page, stateOf } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { useCallFacts } from "./call-facts.ts";
import styles from "./events.module.css";
import { GROUPS, isGroup } from "./kinds.ts";
import { Sentence } from "./sentence.tsx";
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
  const names = useCampaignNames();
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
  const isFiltered = types !== undefined || stream !== undefined;
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
      <EventFilters types={types?.split(",") ?? []} />
      {waiting === 0 ? null : (
        <div style={{ position: "sticky", top: 8, zIndex: 1 }}>
          <Button look="strong" data-testid="news" onClick={() => window.scrollTo({ top: 0 })}>
            {say("held", { count: waiting })}
          </Button>
        </div>
      )}
      {rows.length === 0 ? <p>{say("empty.filtered")}</p> : <Rows rows={rows} names={names} />}
      <More list={list} />
    </Page>
  );
}

type RowsProps = {
  readonly rows: readonly FeedEvent[];
  readonly names: ReadonlyMap<string, string>;
};

function Rows({ rows, names }: RowsProps) {
  const factsOf = useCallFacts(rows);
  return (
    <Panel>
      <div className={styles.events} data-testid="events">
        {rows.map((event) => (
          <details key={event.position} data-event={event.type} data-position={event.position}>
            <summary>
              <Time at={event.occurredAt} />
              <Sentence event={event} number={factsOf(event)?.number} />
              <ThingName {...event} names={names} facts={factsOf(event)} />
            </summary>
            <Thing stream={event.stream} />
            <Json value={event} />
          </details>
        ))}
      </div>
    </Panel>
  );
}

/** Kinds by what they are about; those of a link that are no whole group have a chip each. */
function EventFilters({ types }: { readonly types: readonly string[] }) {
  const say = useTexts(TEXTS);
  const [search, change] = useSearch();
  const chosen = Object.keys(GROUPS)
    .filter(isGroup)
    .filter((group) => GROUPS[group].every((kind) => types.includes(kind)));
  const grouped = new Set<string>(chosen.flatMap((group) => GROUPS[group]));
  const turn = (kinds: readonly string[], isOn: boolean) => {
    const rest = types.filter((type) => !kinds.includes(type));
    change({ types: (isOn ? [...rest, ...kinds] : rest).join(",") });
  };
  return (
    <Filters chosen={types.length + (search["stream"] ? 1 : 0)}>
      <Bar>
        <Chips label={say("types")}>
          {Object.keys(GROUPS)
            .filter(isGroup)
            .map((group) => (
              <Check
                key={group}
                name="types"
                value={group}
                label={say(`group.${group}`)}
                checked={chosen.includes(group)}
                onChange={({ target }) => turn(GROUPS[group], target.checked)}
              />
            ))}
          {types
            .filter((type) => !grouped.has(type))
            .map((type) => (
              <Check
                key={type}
                name="types"
                value={type}
                label={<code>{type}</code>}
                checked
                onChange={() => turn([type], false)}
              />
            ))}
        </Chips>
        <CampaignChoice
          label={say("stream")}
          name="stream"
          value={search["stream"] ?? ""}
          choose={(stream) => change({ stream })}
        />
      </Bar>
    </Filters>
  );
}
