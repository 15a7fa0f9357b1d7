import { memo, useCallback, useDeferredValue, useMemo } from "react";
import type { Story, StoryMoment } from "../../../../../client/story/fold-story.ts";
import type { ContactRecord } from "../../../../../contract/contact.ts";
import { useFormat } from "../../../texts/format.ts";
import { useTexts } from "../../../texts/language.tsx";
import { Button, Field, Panel } from "../../../ui/controls.tsx";
import { en } from "../en.ts";
import figures from "../figures/figures.module.css";
import type { CampaignSearch } from "../search.ts";
import { type ContactState, placeOfState, STATE_ORDER } from "../states.ts";
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
  const rowOf = useCallback(
    (index: number) => {
      const place = places[index] ?? -1;
      const found = contacts[place];
      return found === undefined ? null : rowAt(found, place, { story, moment, since, attempts });
    },
    [places, contacts, story, moment, since, attempts],
  );
  const open = useCallback((contactId: string) => change({ contact: contactId }), [change]);
  const choose = useCallback((wanted: string) => change({ status: wanted }), [change]);
  return (
    <Panel
      title={say("contacts")}
      actions={
        <Field
          label={say("search")}
          name="q"
          type="search"
          value={q ?? ""}
          onChange={({ target }) => change({ q: target.value })}
        />
      }
    >
      <Filters moment={moment} status={status} choose={choose} />
      <p className={styles.shown} role="status">
        {!areAll && (typed ?? "") !== ""
          ? frame("page.loading")
          : say(since === null ? "shown" : "changed", { count: number(places.length) })}
      </p>
      <ContactTable count={places.length} rowOf={rowOf} opened={contact} open={open} />
    </Panel>
  );
}

type FiltersProps = {
  readonly moment: StoryMoment;
  readonly status: string | undefined;
  readonly choose: (status: string) => void;
};

function Filters({ moment, status, choose }: FiltersProps) {
  return (
    <div className={styles.chips}>
      <Filter
        state={null}
        count={moment.totalContacts}
        most={moment.totalContacts}
        isChosen={status === undefined}
        choose={choose}
      />
      {STATE_ORDER.map((state) => (
        <Filter
          key={state}
          state={state}
          count={moment.counts[placeOfState(state)] ?? 0}
          most={moment.totalContacts}
          isChosen={status === state}
          choose={choose}
        />
      ))}
    </div>
  );
}

type FilterProps = {
  /** null: all of them. */
  readonly state: ContactState | null;
  readonly count: number;
  /** The largest possible count: room for it from the start, so that buttons do not move. */
  readonly most: number;
  readonly isChosen: boolean;
  readonly choose: FiltersProps["choose"];
};

const Filter = memo(function Filter({ state, count, most, isChosen, choose }: FilterProps) {
  const say = useTexts({ en, tr });
  const { number } = useFormat();
  return (
    <Button
      {...(state === null ? {} : { "data-filter": state })}
      className={isChosen ? styles.chosen : ""}
      aria-pressed={isChosen}
      onClick={() => choose(state ?? "")}
    >
      {state === null ? null : <i className={`${figures.dot} ${figures[state]}`} />}
      {state === null ? say("all") : say(`state.${state}`)}{" "}
      <b style={{ minWidth: `${number(most).length}ch` }}>{number(count)}</b>
    </Button>
  );
});
