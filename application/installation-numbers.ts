import type { CampaignStatus, PauseReason } from "../domain/campaign/events.ts";
import type { Metrics, Series } from "./ports/metrics.ts";

export type CampaignsInState = {
  readonly state: CampaignStatus;
  readonly pauseReason: PauseReason | null;
  readonly count: number;
};

/** Sums over all owners; amounts in credits. */
export type AccountTotals = {
  readonly available: number;
  readonly reserved: number;
  readonly activeCalls: number;
  /** Concurrent calls that all plans allow, and calls that campaigns wait for. */
  readonly slotsLimit: number;
  readonly slotsWanted: number;
};

/** null: it could not be read. Unknown values are left out, so that no old value is taken for a new one. */
export function tellAccounts(metrics: Metrics, totals: AccountTotals | null): void {
  const one = (number: keyof AccountTotals) =>
    totals === null ? [] : [{ value: totals[number], labels: {} }];
  metrics.gauge("ringfold_database_up", totals === null ? 0 : 1, {});
  metrics.gauges("ringfold_active_calls", one("activeCalls"));
  metrics.gauges("ringfold_credits_available", one("available"));
  metrics.gauges("ringfold_credits_reserved", one("reserved"));
  metrics.gauges("ringfold_call_slots_limit", one("slotsLimit"));
  metrics.gauges("ringfold_call_slots_wanted", one("slotsWanted"));
}

/**
 * What all owners share: how long the next dial waits for its connection, by carrier, and how many
 * conversations all processes hold.
 */
export type SharedLoad = {
  readonly delays: readonly { readonly carrier: string; readonly seconds: number }[];
  readonly conversations: { readonly text: number; readonly audio: number };
};

/** null: it could not be read. */
export function tellShared(metrics: Metrics, load: SharedLoad | null): void {
  const delays = (load?.delays ?? []).map(({ carrier, seconds }) => ({
    value: seconds,
    labels: { carrier },
  }));
  metrics.gauges("ringfold_carrier_turn_delay_seconds", delays);
  const forms = ["text", "audio"] as const;
  metrics.gauges(
    "ringfold_conversations_limit",
    load === null ? [] : forms.map((form) => ({ value: load.conversations[form], labels: { form } })),
  );
}

const UNPAUSED = ["PENDING", "RUNNING", "COMPLETED", "CANCELLED"] as const;

/**
 * Every status, also without campaigns; for paused ones, the reasons that occur. null: it could not be read.
 */
export function tellCampaigns(metrics: Metrics, campaigns: readonly CampaignsInState[] | null): void {
  const unpaused = UNPAUSED.map((state) => ({
    value: campaigns?.find((each) => each.state === state)?.count ?? 0,
    labels: { state, pause_reason: "" },
  }));
  const paused = (campaigns ?? [])
    .filter(({ state }) => state === "PAUSED")
    .map(
      ({ state, pauseReason, count }): Series<"ringfold_campaigns"> => ({
        value: count,
        labels: { state, pause_reason: pauseReason ?? "" },
      }),
    );
  metrics.gauges("ringfold_campaigns", campaigns === null ? [] : [...unpaused, ...paused]);
}
