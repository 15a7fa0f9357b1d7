import type { OwnerId } from "../../domain/shared/ids.ts";
import { DEFAULT_KINDS } from "../../domain/webhook/kinds.ts";
import { oneAtATime } from "../one-at-a-time.ts";
import type { ReplayArchive, ReplayRange, WebhookSettings } from "../ports/webhook-settings.ts";
import type { ReplaySource } from "./replay-source.ts";
import { type ReplayedCallsDeps, replayedCalls } from "./replayed-calls.ts";
import { type ReplayedCampaignsDeps, replayedCampaigns } from "./replayed-campaigns.ts";

type Webhooks = Pick<WebhookSettings, "get" | "replayRange"> & ReplayArchive;

export type RangeReplayDeps = ReplayedCallsDeps & ReplayedCampaignsDeps & { readonly webhooks: Webhooks };

/**
 * A range replay over the log. Events that were never queued, because no endpoint was set then, are made
 * again from the log and stored page by page, with the bytes that they would have had; then all stored events
 * are replayed. Replays of an owner run one after the other, so that memory and the load on the log are
 * bounded. A crash in between leaves stored events without deliveries: a repeat with the same id continues.
 */
export function rangeReplay(deps: RangeReplayDeps): WebhookSettings["replayRange"] {
  const sources = [replayedCalls(deps), replayedCampaigns(deps)];
  const inTurn = oneAtATime<OwnerId>();
  return (owner, replayId, range) =>
    inTurn(owner, async () => {
      const events = range.events ?? (await deps.webhooks.get(owner))?.events;
      const wanted = events === undefined ? range : { ...range, events };
      for (const source of sources) await storeMissing(deps.webhooks, source, owner, wanted);
      return deps.webhooks.replayRange(owner, replayId, wanted);
    });
}

async function storeMissing(
  webhooks: Webhooks,
  { events, atOnce }: ReplaySource,
  owner: OwnerId,
  { events: named = DEFAULT_KINDS, ...range }: ReplayRange,
): Promise<void> {
  for await (const some of events({ ...range, owner, kinds: new Set(named) })) {
    if (some.length === 0) continue;
    const missing = await webhooks.missing(
      owner,
      some.map(({ eventId }) => eventId),
    );
    const absent = some.filter(({ eventId }) => missing.has(eventId));
    for (let from = 0; from < absent.length; from += atOnce) {
      const made = await Promise.all(absent.slice(from, from + atOnce).map(({ make }) => make()));
      const entries = made.filter((entry) => entry !== null);
      if (entries.length > 0) await webhooks.store(owner, entries);
    }
  }
}
