import type { CallId, CampaignId } from "../../domain/shared/ids.ts";
import { recordedEvents } from "../log/recorded-events.ts";
import { campaignStream } from "../log/stream-names.ts";
import type { EventCodec } from "../ports/event-codec.ts";
import type { EventStore } from "../ports/event-store.ts";
import { type AttemptOutcome, isAttemptEnd, outcomeFrom } from "./webhook-body.ts";

/** Some 30 MB. A campaign has at most 210,000 attempts; the campaign that is asked for is always kept. */
const MOST_OUTCOMES = 250_000;

/** The decisions of campaigns after each call, read from their streams. */
export type LoggedOutcomes = {
  /** null: the campaign has decided nothing after this call (yet). */
  readonly of: (campaignId: CampaignId, callId: CallId) => Promise<AttemptOutcome | null>;
};

type Deps = { readonly eventStore: EventStore; readonly codec: EventCodec };
type Outcomes = ReadonlyMap<CallId, AttemptOutcome>;

/**
 * A campaign's stream is read once, and again only when the outcomes of other campaigns have
 * replaced it in the cache.
 */
export function loggedOutcomes(deps: Deps, mostOutcomes = MOST_OUTCOMES): LoggedOutcomes {
  const known = new Map<CampaignId, Promise<Outcomes>>();
  const sizes = new Map<CampaignId, number>();

  const read = async (campaignId: CampaignId): Promise<Outcomes> => {
    const outcomes = await readOutcomes(deps, campaignId);
    sizes.set(campaignId, outcomes.size);
    let total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    for (const [oldest, size] of sizes) {
      if (total <= mostOutcomes || oldest === campaignId) break;
      total -= size;
      sizes.delete(oldest);
      known.delete(oldest);
    }
    return outcomes;
  };
  return {
    of: async (campaignId, callId) => {
      const outcomes = known.get(campaignId) ?? read(campaignId);
      known.set(campaignId, outcomes);
      return (await outcomes).get(callId) ?? null;
    },
  };
}

async function readOutcomes(deps: Deps, campaignId: CampaignId): Promise<Outcomes> {
  const outcomes = new Map<CallId, AttemptOutcome>();
  for await (const { event } of recordedEvents(deps, campaignStream(campaignId))) {
    if (isAttemptEnd(event)) outcomes.set(event.data.callId, outcomeFrom(event));
  }
  return outcomes;
}
