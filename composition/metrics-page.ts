import { tellConnections } from "../application/call/connection-states.ts";
import type { Engine } from "../application/engine.ts";
import { tellAccounts, tellCampaigns, tellShared } from "../application/installation-numbers.ts";
import { ageOf, type ProcessorStatus, tellProcessors } from "../application/log/processor-status.ts";
import { accountTotals } from "../infrastructure/account/account-totals.ts";
import { sharedLoad } from "../infrastructure/account/shared-load.ts";
import { systemClock } from "../infrastructure/clock.ts";
import type { MetricsAdapter } from "../infrastructure/metrics.ts";
import { campaignsByState } from "../projections/campaigns/campaigns-by-state.ts";
import type { Stores } from "./open-stores.ts";

/** A slower database counts as unavailable, because a scrape has to be current. */
const PATIENCE_MILLIS = 2_000;
/** /metrics needs no key: the database is queried, and the text made, once in this time. */
const FRESH_MILLIS = 1_000;

/** The text of GET /metrics: continuously measured values, and those that are read on request. */
export function metricsPage(
  { metrics, metricsText }: MetricsAdapter,
  stores: Stores,
  engine: Engine,
  processors: () => readonly ProcessorStatus[],
): () => Promise<string> {
  const ofCampaigns = oneAtATime(() => campaignsByState(stores.readDb));
  const ofAccounts = oneAtATime(() => accountTotals(stores.database.pool));
  const ofShared = oneAtATime(() => sharedLoad(stores.database.pool));
  const standing = askedOnceIn(FRESH_MILLIS, () =>
    Promise.all([inTime(ofCampaigns()), inTime(ofAccounts()), inTime(ofShared())]),
  );
  return askedOnceIn(FRESH_MILLIS, async () => {
    const [campaigns, accounts, shared] = await standing();
    tellCampaigns(metrics, campaigns);
    tellAccounts(metrics, accounts);
    tellShared(metrics, shared);
    tellProcessors(metrics, processors());
    tellConnections(metrics, engine.connections());
    metrics.gauge(
      "ringfold_oldest_due_contact_age_seconds",
      ageOf(systemClock, engine.oldestDueSince()) / 1_000,
      {},
    );
    return metricsText();
  });
}

/** null: it failed, or took too long. */
async function inTime<Answer>(reading: Promise<Answer>): Promise<Answer | null> {
  const answered = new AbortController();
  const late = systemClock.sleep(PATIENCE_MILLIS, answered.signal).then(() => null);
  const found = await Promise.race([reading.catch(() => null), late]);
  answered.abort();
  return found;
}

/**
 * A query that nobody waits for any more is not repeated before it ends, because it still
 * holds its connection.
 */
function oneAtATime<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asked: Promise<Answer> | null = null;
  return () => {
    asked ??= ask().finally(() => {
      asked = null;
    });
    return asked;
  };
}

function askedOnceIn<Answer>(millis: number, ask: () => Promise<Answer>): () => Promise<Answer> {
  let asked: { readonly at: number; readonly answer: Promise<Answer> } | null = null;
  return () => {
    const now = systemClock.monotonicMillis();
    if (asked === null || now - asked.at >= millis) asked = { at: now, answer: ask() };
    return asked.answer;
  };
}
