import { useCallback, useDeferredValue, useMemo } from "react";
import type { Story, StoryMoment } from "../../../../../client/story/fold-story.ts";
import type { ContactRecord } from "../../../../../contract/contact.ts";
import { useFormat } from "../../../texts/format.ts";
import { useTexts } from "../../../texts/language.tsx";
import { Field, Panel } from "../../../ui/controls.tsx";
import { en } from "../en.ts";
import { type ContactOutcomes, exportPath } from "../outcomes/wanted.ts";
import type { CampaignSearch } from "../search.ts";
import { foldAttempts } from "../story/fold-attempts.ts";
import { tr } from "../tr.ts";
import { ContactTable } from "./contact-table.tsx";
import styles from "./contacts.module.css";
import { type Holds, placesOf, rowAt } from "./rows.ts";

type ContactsProps = {
  readonly story: Story;
  readonly moment: StoryMoment;
  /** Time of `moment`, in ms since 1970. */
  readonly at: number;
  readonly since: StoryMoment | null;
  /** Those loaded so far. */
  readonly contacts: readonly ContactRecord[];
  readonly areAll: boolean;
  readonly campaignId: string;
  /** What each brought home at that moment, by id; null: nothing is known (yet). */
  readonly brought: ContactOutcomes | null;
  /** Those who brought this home are listed: `success=true`. */
  readonly wanted: string | undefined;
  readonly holds: Holds;
  /** The campaign's. */
  readonly timezone: string;
  readonly search: CampaignSearch;
  readonly change: (search: CampaignSearch) => void;
};

/** How exact it is who is due. */
const DUE_MILLIS = 1_000;

/** All contacts at the selected moment; with an A-mark, those that changed since then. */
export function Contacts(props: ContactsProps) {
  const {
    story,
    moment,
    at,
    since,
    contacts,
    areAll,
    campaignId,
    brought,
    wanted,
    timezone,
    holds,
    search,
    change,
  } = props;
  const say = useTexts({ en, tr });
  const frame = useTexts();
  const { number } = useFormat();
  const { status, q, contact } = search;
  const typed = useDeferredValue(q);
  const places = useMemo(
    () => placesOf(contacts, moment, since, { status, q: typed, wanted, brought }),
    [contacts, moment, since, status, typed, wanted, brought],
  );
  const attempts = useMemo(() => foldAttempts(story, at), [story, at]);
  const shownAt = Number.isFinite(at) ? at : Math.floor(Date.now() / DUE_MILLIS) * DUE_MILLIS;
  const rowOf = useCallback(
    (index: number) => {
      const place = places[index] ?? -1;
      const found = contacts[place];
      return found === undefined
        ? null
        : rowAt(found, place, { story, moment, since, attempts, at: shownAt, timezone, brought, holds });
    },
    [places, contacts, story, moment, since, attempts, shownAt, timezone, brought, holds],
  );
  const fields = useMemo(() => fieldsOf(brought), [brought]);
  const isLoading =
    (!areAll && (typed ?? "") !== "") || (wanted !== undefined && (brought === null || !areAll));
  // The file is of now, and of no search.
  const hasFile = !Number.isFinite(at) && since === null && (q ?? "") === "";
  const open = useCallback((contactId: string) => change({ contact: contactId }), [change]);
  return (
    <Panel>
      <div className={styles.head}>
        <h2>{say("contacts")}</h2>
        <p className={styles.shown} role="status">
          {isLoading
            ? frame("page.loading")
            : say(since === null ? "shown" : "changed", { count: number(places.length) })}
        </p>
        {hasFile && (status !== undefined || wanted !== undefined) ? (
          <a data-testid="export-shown" href={exportPath(campaignId, status, wanted)} download>
            {say("export.shown")}
          </a>
        ) : null}
        <Field
          label={say("search")}
          name="q"
          type="search"
          value={q ?? ""}
          onChange={({ target }) => change({ q: target.value })}
        />
      </div>
      <ContactTable
        count={places.length}
        rowOf={rowOf}
        opened={contact}
        open={open}
        fields={fields}
        hasLongTimes={moment.callbacks.size > 0 || holds.size > 0}
      />
    </Panel>
  );
}

/** Names of all fields that somebody has, each a column; null: nobody was asked. */
function fieldsOf(brought: ContactOutcomes | null): readonly string[] | null {
  if (brought === null) return null;
  return [...new Set([...brought.values()].flatMap(({ fields }) => Object.keys(fields)))].toSorted();
}
