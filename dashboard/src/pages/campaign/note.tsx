import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import type { CampaignRecord, WholeCampaign } from "../../../../contract/campaign.ts";
import { progressQuery } from "../../api/campaigns.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { en } from "./en.ts";
import styles from "./looking.module.css";
import { tr } from "./tr.ts";

/** When it resumes or starts by itself, what it waits for, and its estimated end, as far as known. */
export function Note({ record: { campaign, statistics } }: { readonly record: WholeCampaign }) {
  const say = useTexts({ en, tr });
  const { about, number } = useFormat();
  const waits = useWaits(campaign);
  const { status, nextWindowOpensAt: opens, startAt } = campaign;
  const held = statistics.held ?? 0;
  const told =
    status === "PAUSED" && opens !== null
      ? [say("opens-at", { at: about(opens) })]
      : status === "PENDING" && startAt !== null
        ? [say("starts-at", { at: about(startAt) })]
        : waits;
  const said = held === 0 ? told : [...told, say("held", { count: number(held) })];
  return said.length === 0 ? null : (
    <span className={styles.note} data-testid="note">
      {said.join(" · ")}
    </span>
  );
}

function useWaits(campaign: CampaignRecord): readonly string[] {
  const say = useTexts({ en, tr });
  const { about, number } = useFormat();
  const isRunning = campaign.status === "RUNNING";
  const progress = useQuery(progressQuery(campaign.id, isRunning)).data;
  const heard = useRef<readonly (typeof progress)[]>([]);
  if (heard.current[0] !== progress) heard.current = [progress, heard.current[0]];
  if (!isRunning || progress === undefined) return [];
  const { waitingFor, estimatedEndAt } = progress;
  const { activeCalls: active, effectiveMaxConcurrentCalls: most } = campaign;
  // A call may have ended since: only what was reported twice says that somebody else has the lines.
  const isHeld = heard.current[1]?.waitingFor === "slots";
  return [
    ...(waitingFor === "slots" && active >= most ? [say("waits.lines", { most: number(most) })] : []),
    ...(waitingFor === "slots" && active < most && isHeld ? [say("waits.slots")] : []),
    ...(waitingFor === null || waitingFor === "slots" ? [] : [say(`waits.${waitingFor}`)]),
    ...(estimatedEndAt === null ? [] : [say("ends-at", { at: about(estimatedEndAt) })]),
  ];
}
