import { expect, it } from "vitest";
import { type Instant, instantFromMillis, millisOf } from "../../../domain/shared/instant.ts";
import { createCampaignFolds } from "../../../projections/history/folds/campaign-folds.ts";
import { campaignAt, contactsAt } from "../../../projections/history/time-travel.ts";
import { campaignId } from "../../domain/campaign/example-campaign.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { longCampaign } from "../long-campaign.ts";
import { seededRandom } from "../seeded-random.ts";

const OWNER = "usr_1";
const STREAM = `campaign-${campaignId}`;
const WHOLE = { limit: 200, after: null };

/** A fold is kept after each 512 events, and a stream is read by 1,000. */
it.each([511, 512, 513, 1_000, 1_001, 1_024, 5_000])(
  "tells at any moment of a campaign of %i events what the plain fold tells, while it grows and at its end",
  async (size) => {
    const deps = memoryLog();
    const folds = createCampaignFolds(deps);
    const events = longCampaign(size, size);
    const random = seededRandom(size);
    const asked: Instant[] = [];
    for (const until of [Math.floor(size / 2), size]) {
      const known = until === size ? Math.floor(size / 2) : 0;
      await deps.store(STREAM, ...events.slice(known, until));
      const borders = [511, 512, 513, 1_024, until - 1].filter((row) => row < until);
      for (const row of [...borders, random(until)])
        asked.push(
          instantFromMillis(millisOf(events[row]?.data.at ?? "1970-01-01T00:00:00.000Z") + random(3) - 1),
        );
      for (const at of asked.slice(-7)) {
        expect(await folds.campaignAt({ owner: OWNER, id: campaignId, at })).toEqual(
          await campaignAt(deps, OWNER, campaignId, at),
        );
        expect(await folds.contactsAt({ owner: OWNER, id: campaignId, at }, {}, WHOLE)).toEqual(
          await contactsAt(deps, OWNER, campaignId, at, {}, WHOLE),
        );
      }
    }
  },
);
