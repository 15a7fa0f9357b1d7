import { useCallback, useDeferredValue, useMemo } from "react";
import type { Story, StoryMoment } from "../../../../../client/story/fold-story.ts";
import type { Contact } from "../../../api/campaigns.ts";
import { useFormat } from "../../../texts/format.ts";
import { useTexts } from "../../../texts/language.tsx";
import { Button, Field, Panel } from "../../../ui/controls.tsx";
import { en } from "../en.ts";
import figures from "../figures/figures.module.css";
import type { CampaignSearch } from "../search.ts";
import { placeOfState, STATE_ORDER } from "../states.ts";
import { foldAttempts } from "../story/fold-attempts.ts";
import { tr } from "../tr.ts";
import { ContactTable } from "./contact-table.tsx";
import styles from "./contacts.module.css";
import { placesOf, rowAt } from "./rows.ts";

type ContactsProps = {
  readonly story: Story;
  readonly moment: StoryMoment;
  /** Of `moment`, in ms since 1970. */
  readonly at: number;
  readonly since: StoryMoment | null;
  readonly contacts: readonly Contact[] | null;
  readonly search: CampaignSearch;
  readonly change: (search: CampaignSearch) => void;
};

/** Every contact at the moment that is looked at; with an A-mark those that changed since. */
export function Contacts({ story, moment, at, since, contacts, search, change }: ContactsProps) {
  const say = useTexts({ en, tr });
  const frame = useTexts();
  const { number } = useFormat();
  const { status, q, contact } = search;
  const typed = useDeferredValue(q);
  const places = useMemo(
    () => (contacts === null ? [] : placesOf(contacts, moment, since, { status, q: typed })),
    [contacts, moment, since, status, typed],
  );
  const attempts = useMemo(() => foldAttempts(story, at), [story, at]);
  const rowOf = useCallback(
    (index: number) => {
      const place = places[index] ?? -1;
      const found = contacts?.[place];
      return found === undefined ? null : rowAt(found, place, { story, moment, since, attempts });
    },
    [places, contacts, story, moment, since, attempts],
  );
  return (
    <Panel title={say("contacts")}>
      <div className={styles.filters}>
        <Filters moment={moment} status={status} change={change} />
        <Field
          label={say("search")}
          name="q"
          type="search"
          value={q ?? ""}
          onChange={({ target }) => change({ q: target.value })}
        />
      </div>
      <p className={styles.shown} role="status">
        {contacts === null
          ? frame("page.loading")
          : say(since === null ? "shown" : "changed", { count: number(places.length) })}
      </p>
      <ContactTable
        count={places.length}
        rowOf={rowOf}
        opened={contact}
        open={(contactId) => change({ contact: contactId })}
      />
    </Panel>
  );
}

type FiltersProps = {
  readonly moment: StoryMoment;
  readonly status: string | undefined;
  readonly change: ContactsProps["change"];
};

function Filters({ moment, status, change }: FiltersProps) {
  const say = useTexts({ en, tr });
  const { number } = useFormat();
  return (
    <div className={styles.chips}>
      <Button
        className={status === undefined ? styles.chosen : ""}
        aria-pressed={status === undefined}
        onClick={() => change({ status: "" })}
      >
        {say("all")} <b>{number(moment.totalContacts)}</b>
      </Button>
      {STATE_ORDER.map((state) => (
        <Button
          key={state}
          data-filter={state}
          className={status === state ? styles.chosen : ""}
          aria-pressed={status === state}
          onClick={() => change({ status: state })}
        >
          <i className={`${figures.dot} ${figures[state]}`} />
          {say(`state.${state}`)} <b>{number(moment.counts[placeOfState(state)] ?? 0)}</b>
        </Button>
      ))}
    </div>
  );
}
