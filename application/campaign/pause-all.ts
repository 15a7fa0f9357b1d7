import type { CampaignId } from "../../domain/shared/ids.ts";
import type { Caller, Outcome } from "../outcome.ts";
import { type EventStore, START } from "../ports/event-store.ts";
import type { UncappedCampaign as CampaignRecord, Queries } from "../ports/queries.ts";

export type PauseAllDeps = {
  readonly queries: Pick<Queries, "campaigns" | "caughtUp">;
  readonly eventStore: Pick<EventStore, "head">;
  readonly useCases: {
    readonly pauseCampaign: (caller: Caller, campaignId: CampaignId) => Promise<Outcome<null>>;
  };
};

/**
 * `everything` false: the list of campaigns was not up to date at the time of the request,
 * so one may be missing.
 */
export type AllPaused = { readonly campaignIds: readonly CampaignId[]; readonly everything: boolean };

const CAUGHT_UP_MILLIS = 2_000;
const PAGE = 200;

/**
 * Pauses every campaign of the owner that dials or may dial without a resume: those RUNNING, and those PAUSED
 * for an automatic reason. Each is paused as by `pauseCampaign`, so nobody is dialled after the answer.
 * Newest first. Rejects when one could not be paused, after all others were; a repeat does the rest.
 */
export async function pauseAllCampaigns(deps: PauseAllDeps, caller: Caller): Promise<AllPaused> {
  const position = await deps.eventStore.head();
  const everything =
    position === START || (await deps.queries.caughtUp(position, CAUGHT_UP_MILLIS)) !== "behind";
  const paused: CampaignId[] = [];
  const failures: unknown[] = [];
  const wanted = await goingOn(deps, caller);
  // In parallel: one campaign whose process has just died must not let the others dial
  // until it is taken over.
  const outcomes = await Promise.allSettled(wanted.map((id) => deps.useCases.pauseCampaign(caller, id)));
  outcomes.forEach((outcome, index) => {
    const id = wanted[index];
    if (outcome.status === "rejected") failures.push(outcome.reason);
    // A refusal: it ended before it could be paused.
    else if (outcome.value.ok && id !== undefined) paused.push(id);
  });
  if (failures.length > 0) throw failures[0];
  return { campaignIds: paused, everything };
}

/** One query for both states: a campaign that changes between them meanwhile is still in the answer. */
async function goingOn({ queries }: PauseAllDeps, { owner }: Caller): Promise<readonly CampaignId[]> {
  const found: CampaignId[] = [];
  let after: CampaignId | null = null;
  do {
    const page: Awaited<ReturnType<Queries["campaigns"]>> = await queries.campaigns(
      owner,
      { statuses: ["RUNNING", "PAUSED"] },
      { limit: PAGE, after },
    );
    found.push(...page.rows.filter(isGoingOn).map(({ id }) => id));
    after = page.next;
  } while (after !== null);
  return found;
}

function isGoingOn({ pauseReason }: CampaignRecord): boolean {
  return pauseReason !== "manual";
}
