import type { CampaignStatus } from "../../api/campaigns.ts";
import { useTexts } from "../../texts/language.tsx";
import { Badge } from "../../ui/controls.tsx";
import { OUTSIDE_TEXTS } from "./outside-texts.ts";
import { isPauseReason } from "./reasons.ts";

const TONES = {
  PENDING: "quiet",
  RUNNING: "good",
  PAUSED: "wait",
  COMPLETED: "accent",
  CANCELLED: "bad",
} as const;

/** The status in a word, and why it is paused. */
export function StatusBadge({
  status,
  pauseReason,
}: {
  readonly status: CampaignStatus;
  readonly pauseReason: string | null;
}) {
  const say = useTexts(OUTSIDE_TEXTS);
  const reason =
    pauseReason !== null && isPauseReason(pauseReason) ? say(`pause.${pauseReason}`) : pauseReason;
  return (
    <span>
      <Badge tone={TONES[status]} data-testid="campaign-status" data-value={status}>
        {say(`status.${status}`)}
      </Badge>
      {status === "PAUSED" && reason !== null ? ` ${reason}` : ""}
    </span>
  );
}
