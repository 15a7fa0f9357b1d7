import type { AdmissionRefusal } from "../../../domain/admission/requests.ts";
import { estimatedEnd, isCalling, type WaitingFor, waitingOf } from "../../../domain/campaign/progress.ts";
import type { CampaignState } from "../../../domain/campaign/state.ts";
import type { PolicyInForce } from "../../../domain/policy/policy.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import { campaignStream } from "../../log/stream-names.ts";
import type { CampaignProgressReports, ProgressReport } from "../../ports/campaign-progress.ts";
import type { StopSignal } from "../../ports/clock.ts";
import { createPaceBook, type PaceBook } from "./pace-book.ts";
import type { RunnerDeps } from "./runner-deps.ts";
import type { RunningCampaign } from "./running-campaign.ts";

const ROUND_MILLIS = 1_000;
/** A report older than 5 s is not shown. */
const LONGEST_ROUND_MILLIS = 4_000;
/** Looking takes at most this fraction of the time, as long as rounds stay that short. */
const SHARE = 100;

const REFUSED_FOR: Readonly<Record<NonNullable<AdmissionRefusal>, WaitingFor | null>> = {
  credits: "credits",
  concurrency: "slots",
  share: "slots",
  pace: "pace",
  carrier: "carrier",
  capacity: "capacity",
  owner_inactive: null,
  closed: null,
};

type Deps = Pick<RunnerDeps, "aggregates" | "clock" | "logger" | "policies">;

/**
 * Reports the progress of this process's campaigns every second, until `stop` aborts. Reads nothing from the
 * log, and writes all with one statement.
 */
export async function reportProgress(
  deps: Deps,
  reports: Pick<CampaignProgressReports, "write">,
  running: () => readonly RunningCampaign[],
  stop: StopSignal,
): Promise<void> {
  const book = createPaceBook();
  let isFailing = false;
  while (!stop.aborted) {
    const { reports: found, spent } = await lookAtAll(deps, book, running(), stop);
    try {
      if (found.length > 0) await reports.write(found);
      isFailing = false;
    } catch (error) {
      if (!isFailing)
        deps.logger.warn({ error }, "progress of campaigns not reported; tries again each second");
      isFailing = true;
    }
    await deps.clock.sleep(Math.min(LONGEST_ROUND_MILLIS, Math.max(ROUND_MILLIS, SHARE * spent)), stop);
  }
}

type Round = { readonly reports: readonly ProgressReport[]; readonly spent: number };

/**
 * Yields between two campaigns. Left out are campaigns whose state is not in memory, because reading it again
 * would cost too much, and those that cannot be read, or whose policy cannot: their runner reports that.
 */
async function lookAtAll(
  { aggregates: { campaigns }, clock, policies }: Deps,
  book: PaceBook,
  running: readonly RunningCampaign[],
  stop: StopSignal,
): Promise<Round> {
  const looks: Promise<ProgressReport | null>[] = [];
  let spent = 0;
  book.keep(new Set(running.map(({ campaignId }) => campaignId)));
  for (const campaign of running) {
    const stream = campaignStream(campaign.campaignId);
    if (stop.aborted || !campaigns.isAtHand(stream)) continue;
    const policy = await policies.inForce(campaign.owner).catch(() => undefined);
    if (policy === undefined) continue;
    const look = campaigns.query(stream, (state) => {
      const began = clock.monotonicMillis();
      const found = reportOf(campaign, state, book, { now: clock.now(), millis: began, policy });
      spent += clock.monotonicMillis() - began;
      return found;
    });
    looks.push(look.catch(() => null));
    await clock.sleep(0);
  }
  const found = await Promise.all(looks);
  return { reports: found.filter((report) => report !== null), spent };
}

type Look = { readonly now: Instant; readonly millis: number; readonly policy: PolicyInForce | null };

function reportOf(
  campaign: RunningCampaign,
  state: CampaignState,
  book: PaceBook,
  { now, millis, policy }: Look,
): ProgressReport {
  const { campaignId, owner } = campaign;
  const why = campaign.refusal();
  const waiting = waitingOf(state, why === null ? null : REFUSED_FOR[why], now, policy, campaign.leftOut.has);
  const done = state.counts.succeeded + state.counts.failed;
  const pace = book.note(campaignId, { millis, done, isCalling: isCalling(state, waiting) });
  const estimatedEndAt = estimatedEnd(state, waiting, pace, now, policy);
  return { campaignId, owner, ...waiting, estimatedEndAt };
}
