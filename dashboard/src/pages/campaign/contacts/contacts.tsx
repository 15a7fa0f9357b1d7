import { useCallback, useDeferredValue, useMemo } from "react";
import type { Story, StoryMoment } from "../../../../../client/story/fold-story.ts";
import type { ContactRecord } from "../../../../../contract/contact.ts";
import { useFormat } from "../../../texts/format.ts";
import { useTexts } from "../../../texts/language.tsx";
import { Field, Panel } from "../../../ui/controls.tsx";
import { en } from "../en.ts";
import type { CampaignSearch } from "../search.ts";
import { foldAttempts } from "../story/fold-attempts.ts";
import { tr } from "../tr.ts";
import { ContactTable } from "./contact-table.tsx";
import styles from "./contacts.module.css";
import { placesOf, rowAt } from "./rows.ts";

type ContactsProps = {
  readonly story: Story;
  readonly moment: StoryMoment;
  /** Time of `moment`, in ms since 1970. */
  readonly at: number;
  readonly since: StoryMoment | null;
  /** Those loaded so far. */
  readonly contacts: readonly ContactRecord[];
  readonly areAll: boolean;
  readonly search: CampaignSearch;
  readonly change: (search: CampaignSearch) => void;
};

/** How exact it is who is due. */
const DUE_MILLIS = 1_000;

/** All contacts at the selected moment; with an A-mark, those that changed since then. */
export function Contacts({ story, moment, at, since, contacts, areAll, search, change }: ContactsProps) {
  const say = useTexts({ en, tr });
  const frame = useTexts();
  const { number } = useFormat();
  const { status, q, contact } = search;
  const typed = useDeferredValue(q);
  const places = useMemo(
    () => placesOf(contacts, moment, since, { status, q: typed }),
    [contacts, moment, since, status, typed],
  );
  const attempts = useMemo(() => foldAttempts(story, at), [story, at]);
  const shownAt = Number.isFinite(at) ? at : Math.floor(Date.now() / DUE_MILLIS) * DUE_MILLIS;
  const rowOf = useCallback(
    (index: number) => {
      const place = places[index] ?? -1;
      const found = contacts[place];
      return found === undefined
        ? null
        : rowAt(found, place, { story, moment, since, attempts, at: shownAt });
    },
    [places, contacts, story, moment, since, attempts, shownAt],
  );
  const open = useCallback((contactId: string) => change({ contact: contactId }), [change]);
  return (
    <Panel>
      <div className={styles.head}>
        <h2>{say("contacts")}</h2>
        <p className={styles.shown} role="status">
          {!areAll && (typed ?? "") !== ""
            ? frame("page.loading")
            : say(since === null ? "shown" : "changed", { count: number(places.length) })}
        </p>
        <Field
          label={say("search")}
          name="q"
          type="search"
          value={q ?? ""}
          onChange={({ target }) => change({ q: target.value })}
        />
      </div>
      <ContactTable count={places.length} rowOf={rowOf} opened={contact} open={open} />
    </Panel>
  );
}
