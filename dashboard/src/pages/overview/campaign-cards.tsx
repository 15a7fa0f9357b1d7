import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { CampaignRecord } from "../../../../contract/campaign.ts";
import { storyQuery } from "../../api/campaigns.ts";
import { Muted, Row } from "../../records/records.tsx";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Panel } from "../../ui/controls.tsx";
import { MiniBar } from "../campaign/bar/mini-bar.tsx";
import { Shares } from "../campaign/figures/shares.tsx";
import { StatusBadge } from "../campaign/status-badge.tsx";
import styles from "./overview.module.css";
import { TEXTS } from "./texts.ts";

/** As many as fit at a glance; each has its story. */
const MOST_BARS = 6;
const STORY_EVERY_MILLIS = 10_000;

/** Campaigns that call now, and those that wait for their hours. */
export function CampaignCards({ campaigns }: { readonly campaigns: readonly CampaignRecord[] }) {
  const say = useTexts(TEXTS);
  const { number, about } = useFormat();
  const left = campaigns.length - MOST_BARS;
  return (
    <>
      {campaigns.slice(0, MOST_BARS).map((campaign) => (
        <div key={campaign.id} className={styles.twice} data-campaign={campaign.id}>
          <Panel
            title={<Name campaign={campaign} />}
            actions={<StatusBadge status={campaign.status} pauseReason={null} />}
          >
            <div className={styles.card}>
              <Bar campaign={campaign} />
              <Done campaign={campaign} />
              {campaign.nextWindowOpensAt === null ? null : (
                <Muted>{say("opens-at", { at: about(campaign.nextWindowOpensAt) })}</Muted>
              )}
            </div>
          </Panel>
        </div>
      ))}
      {left > 0 ? (
        <Panel>
          <Link to="/campaigns" search={{ status: "RUNNING" }}>
            {say("running.more", { count: number(left) })}
          </Link>
        </Panel>
      ) : null}
    </>
  );
}

export function Name({ campaign: { id, name } }: { readonly campaign: CampaignRecord }) {
  return (
    <Link
      to="/campaigns/$campaignId"
      params={{ campaignId: id }}
      className={styles.name}
      data-user-text=""
      dir="auto"
    >
      {name}
    </Link>
  );
}

function Bar({ campaign: { id } }: { readonly campaign: CampaignRecord }) {
  const story = useQuery({
    ...storyQuery(id),
    queryKey: ["overview", "story", id],
    refetchInterval: STORY_EVERY_MILLIS,
  });
  return (
    <div className={styles.bar}>
      {story.data === undefined ? null : <MiniBar told={story.data} until={story.dataUpdatedAt} />}
    </div>
  );
}

function Done({ campaign }: { readonly campaign: CampaignRecord }) {
  const say = useTexts(TEXTS);
  const { number, percent } = useFormat();
  const { totalContacts: total, pendingCalls, activeCalls } = campaign;
  const done = total - pendingCalls - activeCalls;
  return (
    <>
      <Shares
        reached={campaign.successfulCalls}
        failed={campaign.failedCalls}
        active={activeCalls}
        waiting={0}
        pending={pendingCalls}
        skipped={campaign.skippedContacts}
      />
      <Row>
        <strong>{percent(total === 0 ? 0 : done / total)}</strong>
        <Muted>{say("done-of", { done: number(done), total: number(total) })}</Muted>
      </Row>
    </>
  );
}
