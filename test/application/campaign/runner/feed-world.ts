import { followFeed } from "../../../../application/campaign/runner/follow-feed.ts";
import { followerProgress } from "../../../../application/log/processor-status.ts";
import type { RecordedEvent } from "../../../../application/ports/event-codec.ts";
import type { Feed, FeedBatch } from "../../../../application/ports/feed.ts";
import type { DomainEvent } from "../../../../domain/events.ts";
import { at } from "../../../domain/campaign/example-campaign.ts";
import { OWNER, pass } from "../../engine-world.ts";
import { countedReads, runnerParts } from "./runner-parts.ts";
import { STREAM } from "./runner-world.ts";
import { owning, toldCampaign } from "./told-campaign.ts";

const FAR_AWAY_MILLIS = 1_000_000;

export function recorded(event: DomainEvent, revision = 0): RecordedEvent {
  const metadata = { owner: OWNER, actor: "a", correlationId: "c", causationId: null, schemaVersion: 1 };
  const position = String(revision + 1);
  return { id: `evt-${revision}`, metadata, stream: STREAM, revision, position, created: at(0), event };
}

export type Turn = { readonly events: readonly (readonly RecordedEvent[])[]; readonly fails?: boolean };

/** A runner whose feed tells this, each turn until it fails. `isOver` null: the campaign runs elsewhere. */
export function follower(
  turns: readonly Turn[],
  isOver: boolean | null = false,
  failingReads = { fail: false },
) {
  const reads = countedReads();
  const parts = runnerParts(undefined, {
    wrapStore: (store) => {
      const counted = reads.wrapStore(store);
      const read: typeof counted.read = async (...args) => {
        if (failingReads.fail) throw new TypeError("away");
        return counted.read(...args);
      };
      return { ...counted, read };
    },
  });
  const { clock } = parts.stores;
  const asked: [millis: number, after: string, name: string][] = [];
  const feed: Feed = {
    follow: async function* ({ after, name, signal }) {
      asked.push([clock.elapsed(), after, name]);
      const turn = turns[asked.length - 1] ?? { events: [] };
      for (const [index, events] of turn.events.entries())
        yield { events, position: `${asked.length}.${index}`, caughtUp: true };
      if (turn.fails === true) throw new Error("cut off");
      await clock.sleep(FAR_AWAY_MILLIS, signal);
    },
  };
  const { campaign, told, ends } = toldCampaign("cmp_1", { isOver: () => isOver === true });
  const owned = isOver === null ? owning() : owning(campaign);
  const seen = { following: 0, searches: 0 };
  const took: FeedBatch[] = [];
  const stop = new AbortController();
  const progress = {
    ...followerProgress(clock, "campaign-runner"),
    took: (batch: FeedBatch) => void took.push(batch),
  };
  return {
    ...parts,
    owned,
    told,
    ends,
    seen,
    took,
    asked,
    reads: reads.counted,
    follows: async (millis = 10) => {
      const following = followFeed(
        { ...parts.deps, feed },
        owned,
        stop.signal,
        () => {
          seen.following += 1;
        },
        () => {
          seen.searches += 1;
        },
        progress,
      );
      await pass(parts.stores, millis);
      stop.abort();
      await following;
    },
  };
}

export const telling = (...events: readonly DomainEvent[]): readonly Turn[] => [
  { events: [events.map((event, index) => recorded(event, index))] },
];
