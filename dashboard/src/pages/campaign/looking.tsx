import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { foldStory, type Story } from "../../../../client/story/fold-story.ts";
import type { WholeCampaign } from "../../../../contract/campaign.ts";
import type { ContactRecord } from "../../../../contract/contact.ts";
import { progressQuery } from "../../api/campaigns.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { TimeTravel } from "./bar/time-travel.tsx";
import type { Command } from "./commands.tsx";
import { Contacts } from "./contacts/contacts.tsx";
import { Drawer } from "./drawer/drawer.tsx";
import { en } from "./en.ts";
import { Figures } from "./figures/figures.tsx";
import type { CampaignSearch } from "./search.ts";
import { useShortcuts } from "./shortcuts.ts";
import { stateAt } from "./states.ts";
import { StatusBadge } from "./status-badge.tsx";
import { type Life, useMoment } from "./story/use-moment.ts";
import { tr } from "./tr.ts";

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
  const note = useNote(record, life);
  const compare = () =>
    change({ since: since === null ? new Date(life.at ?? life.until).toISOString() : "" });
  useKeys({ life, compare, give, change, record });
  const place = useMemo(
    () => (search.contact === undefined ? -1 : contacts.findIndex(({ id }) => id === search.contact)),
    [contacts, search.contact],
  );
  const contact = contacts[place];
  return (
    <>
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
      <Figures moment={moment} since={mark} campaign={campaign} note={note} />
      <Contacts {...{ story, moment, at, since: mark, contacts, areAll, search, change }} />
      {contact === undefined ? null : (
        <Drawer
          key={contact.id}
          campaignId={campaign.id}
          contact={contact}
          state={stateAt(moment.contacts[place])}
          at={search.at ?? null}
          look={life.look}
          close={() => change({ contact: "" })}
          isOpen={!OVER.has(campaign.status)}
        />
      )}
    </>
  );
}

/** What it waits for, and its estimated end, as far as known; null in the past. */
function useNote({ campaign }: WholeCampaign, { at }: Life): string | null {
  const say = useTexts({ en, tr });
  const { time } = useFormat();
  const isRunning = campaign.status === "RUNNING";
  const progress = useQuery(progressQuery(campaign.id, isRunning && at === null)).data;
  if (at !== null) return null;
  const { nextWindowOpensAt: opens, startAt } = campaign;
  if (campaign.status === "PAUSED" && opens !== null) return say("opens-at", { at: time(opens) });
  if (campaign.status === "PENDING" && startAt !== null) return say("starts-at", { at: time(startAt) });
  if (!isRunning || progress === undefined) return null;
  const { waitingFor, estimatedEndAt } = progress;
  const said = [
    ...(waitingFor !== null ? [say(`waits.${waitingFor}`)] : []),
    ...(estimatedEndAt === null ? [] : [say("ends-at", { at: time(estimatedEndAt) })]),
  ];
  return said.length === 0 ? null : said.join(" · ");
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
