import { useCallback, useMemo } from "react";
import { foldStory, type Story } from "../../../../client/story/fold-story.ts";
import type { WholeCampaign } from "../../../../contract/campaign.ts";
import type { ContactRecord } from "../../../../contract/contact.ts";
import { TimeTravel } from "./bar/time-travel.tsx";
import type { Command } from "./commands.tsx";
import { Contacts } from "./contacts/contacts.tsx";
import { useHolds } from "./contacts/use-holds.ts";
import { Drawer } from "./drawer/drawer.tsx";
import { Figures } from "./figures/figures.tsx";
import { Outcomes } from "./figures/outcomes.tsx";
import styles from "./looking.module.css";
import { OutcomesPanel } from "./outcomes/outcomes-panel.tsx";
import { useOutcomes } from "./outcomes/use-outcomes.ts";
import type { CampaignSearch } from "./search.ts";
import { Setup } from "./setup/setup.tsx";
import { useShortcuts } from "./shortcuts.ts";
import { stateAt } from "./states.ts";
import { StatusBadge } from "./status-badge.tsx";
import { type Life, useMoment } from "./story/use-moment.ts";

type LookingProps = {
  readonly record: WholeCampaign;
  readonly story: Story;
  /** Those loaded so far. */
  readonly contacts: readonly ContactRecord[];
  readonly areAll: boolean;
  readonly search: CampaignSearch;
  readonly change: (search: CampaignSearch) => void;
  readonly give: (command: Command) => void;
};

const OVER = new Set(["COMPLETED", "CANCELLED"]);

/** The campaign at the selected moment. */
export function Looking({ record, story, contacts, areAll, search, change, give }: LookingProps) {
  const { campaign } = record;
  const isOpen = !OVER.has(campaign.status) || campaign.activeCalls > 0;
  const setUrlAt = useCallback(
    (at: number | null) => change({ at: at === null ? "" : new Date(at).toISOString() }),
    [change],
  );
  const urlAt = search.at === undefined ? null : Date.parse(search.at);
  const life = useMoment({ story, isOpen, urlAt, setUrlAt });
  const at = life.at ?? Number.POSITIVE_INFINITY;
  const since = search.since === undefined ? null : Date.parse(search.since);
  const moment = useMemo(() => foldStory(story, at), [story, at]);
  const mark = useMemo(() => (since === null ? null : foldStory(story, since)), [story, since]);
  // What is compared with a past moment is now, until another moment is looked at.
  const compare = () => {
    change({ since: since === null ? new Date(life.at ?? life.until).toISOString() : "" });
    if (since === null && life.at !== null) life.now();
  };
  const choose = useCallback((status: string) => change({ status }), [change]);
  const brought = useOutcomes(record, life.at);
  const holds = useHolds(record, life.at === null);
  const hasOwnZones = useMemo(() => contacts.some(({ timezone }) => timezone !== null), [contacts]);
  useKeys({ life, compare, give, change, record });
  const place = useMemo(
    () => (search.contact === undefined ? -1 : contacts.findIndex(({ id }) => id === search.contact)),
    [contacts, search.contact],
  );
  const contact = contacts[place];
  return (
    <>
      <div className={styles.room}>
        <Setup campaign={campaign} hasOwnZones={hasOwnZones} />
        {campaign.startedAt === null && life.at === null ? null : (
          <div className={styles.course}>
            <TimeTravel
              story={story}
              life={life}
              since={since}
              stood={
                life.at === null || moment.status === null ? null : (
                  <StatusBadge status={moment.status} pauseReason={moment.pauseReason} />
                )
              }
              onCompare={compare}
            />
            <div className={styles.outcomes}>
              <Outcomes byEndReason={moment.byEndReason} />
            </div>
          </div>
        )}
        <Figures
          moment={moment}
          since={mark}
          lines={life.at === null && isOpen ? campaign.effectiveMaxConcurrentCalls : null}
          chosen={search.status}
          hasOptOuts={(story.told.optedOut?.length ?? 0) > 0}
          hasCallbacks={story.told.kinds.includes("ContactCallbackScheduled")}
          choose={choose}
        />
        {brought === null ? null : (
          <OutcomesPanel
            brought={brought}
            chosen={search.brought}
            choose={(wanted) => change({ brought: wanted })}
          />
        )}
        <Contacts
          {...{ story, moment, at, since: mark, contacts, areAll, search, change }}
          campaignId={campaign.id}
          brought={brought?.contacts ?? null}
          wanted={brought === null ? undefined : search.brought}
          timezone={campaign.timezone}
          holds={holds}
        />
      </div>
      {contact === undefined ? null : (
        <Drawer
          key={contact.id}
          campaignId={campaign.id}
          contact={contact}
          state={stateAt(moment.contacts[place])}
          optedOut={moment.optedOut.has(place)}
          callbackAt={moment.callbacks.has(place) ? (moment.nextAttemptAt[place] ?? null) : null}
          timezone={contact.timezone ?? campaign.timezone}
          brought={brought?.contacts?.get(contact.id)}
          hold={holds.get(contact.id) ?? null}
          at={search.at ?? null}
          look={life.look}
          close={() => change({ contact: "" })}
          isOpen={!OVER.has(campaign.status)}
        />
      )}
    </>
  );
}

type KeysProps = Pick<LookingProps, "change" | "give" | "record"> & {
  readonly life: Life;
  readonly compare: () => void;
};

function useKeys({ life, compare, give, change, record: { campaign } }: KeysProps): void {
  useShortcuts({
    p: () => {
      if (life.at === null && campaign.status === "RUNNING") give("pause");
      if (life.at === null && campaign.status === "PAUSED") give("resume");
    },
    l: life.now,
    ",": () => life.step(-1),
    ".": () => life.step(1),
    "[": () => life.turn(-1),
    "]": () => life.turn(1),
    d: compare,
    e: () => document.querySelector<HTMLAnchorElement>("main a[download]")?.click(),
    Escape: () => change({ contact: "" }),
  });
}
