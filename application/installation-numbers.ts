import type { CallStatus } from "../domain/call/events.ts";
import type { CampaignStatus, PauseReason } from "../domain/campaign/events.ts";
import type { Metrics, Series } from "./ports/metrics.ts";

/** What is going on by the rows, whichever process does it. */
export type StandingOfWork = {
  readonly calls: readonly { readonly status: CallStatus; readonly count: number }[];
  readonly campaigns: readonly {
    readonly state: CampaignStatus;
    readonly pauseReason: PauseReason | null;
    readonly count: number;
  }[];
};

/** What all owners have together; amounts in credits. */
export type StandingOfAccounts = {
  readonly available: number;
  readonly reserved: number;
  readonly slotsTaken: number;
  readonly slotsLimit: number;
  readonly slotsWanted: number;
};

/** null: it could not be read. What is not known is left out, so that no old number passes for a new one. */
export function tellAccounts(metrics: Metrics, standing: StandingOfAccounts | null): void {
  const one = (number: keyof StandingOfAccounts) =>
    standing === null ? [] : [{ value: standing[number], labels: {} }];
  metrics.gauge("ringfold_database_up", standing === null ? 0 : 1, {});
  metrics.gauges("ringfold_credits_available", one("available"));
  metrics.gauges("ringfold_credits_reserved", one("reserved"));
  metrics.gauges("ringfold_call_slots_taken", one("slotsTaken"));
  metrics.gauges("ringfold_call_slots_limit", one("slotsLimit"));
  metrics.gauges("ringfold_call_slots_wanted", one("slotsWanted"));
}

/** null: a read model has no rows, or the database did not answer. */
export function tellWork(metrics: Metrics, standing: StandingOfWork | null): void {
  metrics.gauges("ringfold_active_calls", standing === null ? [] : callsByStatus(standing));
  metrics.gauges("ringfold_campaigns", standing === null ? [] : campaignsByState(standing));
}

const LIVE = ["initiating", "ringing", "connected", "in_progress"] as const;
const UNPAUSED = ["PENDING", "RUNNING", "COMPLETED", "CANCELLED"] as const;

/** Each status of a live call, also when no call has it. */
function callsByStatus({ calls }: StandingOfWork): Series<"ringfold_active_calls">[] {
  return LIVE.map((status) => ({
    value: calls.find((each) => each.status === status)?.count ?? 0,
    labels: { status },
  }));
}

/** Each state, also when no campaign is in it; of the paused ones those reasons that there are. */
function campaignsByState({ campaigns }: StandingOfWork): Series<"ringfold_campaigns">[] {
  const unpaused = UNPAUSED.map((state) => ({
    value: campaigns.find((each) => each.state === state)?.count ?? 0,
    labels: { state, pause_reason: "" },
  }));
  const paused = campaigns
    .filter(({ state }) => state === "PAUSED")
    .map(({ state, pauseReason, count }) => ({
      value: count,
      labels: { state, pause_reason: pauseReason ?? "" },
    }));
  return [...unpaused, ...paused];
}
