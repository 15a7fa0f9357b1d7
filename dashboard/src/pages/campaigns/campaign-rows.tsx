import { Link } from "@tanstack/react-router";
import type { CampaignRecord } from "../../../../contract/campaign.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import layout from "../../ui/layout.module.css";
import { Time } from "../../ui/time.tsx";
import { Shares } from "../campaign/figures/shares.tsx";
import { StatusBadge } from "../campaign/status-badge.tsx";
import styles from "./campaigns.module.css";
import { en } from "./en.ts";
import { tr } from "./tr.ts";

export function CampaignRows({ campaigns }: { readonly campaigns: readonly CampaignRecord[] }) {
  const say = useTexts({ en, tr });
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead className={layout.heardOnPhone}>
          <tr>
            <th scope="col">{say("name")}</th>
            <th scope="col">{say("status")}</th>
            <th scope="col">{say("progress")}</th>
            <th scope="col">{say("resumes")}</th>
            <th scope="col">{say("created")}</th>
          </tr>
        </thead>
        <tbody>
          {campaigns.map((campaign) => (
            <Row key={campaign.id} campaign={campaign} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ campaign }: { readonly campaign: CampaignRecord }) {
  const { number, percent } = useFormat();
  const { totalContacts: total, pendingCalls, activeCalls } = campaign;
  const done = total - pendingCalls - activeCalls;
  return (
    <tr data-campaign={campaign.id} data-status={campaign.status}>
      <th scope="row">
        <Link to="/campaigns/$campaignId" params={{ campaignId: campaign.id }} data-user-text="" dir="auto">
          {campaign.name}
        </Link>
      </th>
      <td>
        <StatusBadge status={campaign.status} pauseReason={campaign.pauseReason} />
      </td>
      <td>
        <div className={styles.progress}>
          <span>
            {percent(total === 0 ? 0 : done / total)} · {number(done)} / {number(total)}
          </span>
          <Shares
            reached={campaign.successfulCalls}
            failed={campaign.failedCalls}
            active={activeCalls}
            waiting={0}
            pending={pendingCalls}
            skipped={campaign.skippedContacts}
          />
        </div>
      </td>
      <td>
        <Time at={resumesAt(campaign)} />
      </td>
      <td>
        <Time at={campaign.createdAt} />
      </td>
    </tr>
  );
}

/** When it starts or resumes by itself, as far as known. */
function resumesAt({ status, startAt, nextWindowOpensAt }: CampaignRecord): string | null {
  if (status === "PENDING") return startAt;
  return status === "PAUSED" ? nextWindowOpensAt : null;
}
