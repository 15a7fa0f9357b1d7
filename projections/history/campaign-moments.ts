import { recordedEvents } from "../../application/log/recorded-events.ts";
import { campaignStream } from "../../application/log/stream-names.ts";
import type { CampaignMoments } from "../../application/ports/campaign-moments.ts";
import { createRecentMap } from "../../application/recent-map.ts";
import type { CampaignId } from "../../domain/shared/ids.ts";
import { type CampaignRow, campaignWithStatistics, projectCampaign } from "../campaigns/campaign-row.ts";
import type { LogDeps } from "./stream-history.ts";

/**
 * A row has counts, not contacts: some KB, 60 at most with the longest texts. At the edge of a window this
 * many campaigns can alternate; with one more, each would be read from its beginning again.
 */
const KEPT_ROWS = 1_000;

/** The fold up to a revision. */
type Folded = { readonly row: CampaignRow | undefined; readonly revision: number };

/**
 * The fold of the read model and of `?at=`, over the log. Requests in log order read each event once; a
 * request for an earlier moment reads the stream from its beginning.
 */
export function createCampaignMoments(deps: LogDeps): CampaignMoments {
  const known = createRecentMap<CampaignId, Folded>(KEPT_ROWS);
  return {
    async rightAfter(id, revision) {
      const before = known.get(id);
      const start = before !== undefined && before.revision <= revision ? before : NOTHING;
      const folded = await foldTo(deps, id, start, revision);
      known.set(id, folded);
      return folded.row === undefined ? null : campaignWithStatistics(folded.row);
    },
  };
}

const NOTHING: Folded = { row: undefined, revision: -1 };

async function foldTo(deps: LogDeps, id: CampaignId, start: Folded, last: number): Promise<Folded> {
  let { row, revision } = start;
  for await (const recorded of recordedEvents(deps, campaignStream(id), start.revision + 1)) {
    if (recorded.revision > last) break;
    row = projectCampaign(row, recorded);
    revision = recorded.revision;
  }
  return { row, revision };
}
