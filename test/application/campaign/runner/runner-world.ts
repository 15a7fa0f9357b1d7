import type { CreateCampaignRequest } from "../../../../application/campaign/create-campaign.ts";
import type { CallId } from "../../../../domain/shared/ids.ts";
import {
  CALLER,
  engineProcess,
  openEvents,
  pass,
  sharedStores,
  typesOf,
  until,
  type WorldOptions,
} from "../../engine-world.ts";
import { campaignRequest } from "../../example-request.ts";

export const STREAM = "campaign-cmp_1";
/** A runner is told of what changed: nothing waits for its next look. */
export const AT_ONCE_MILLIS = 500;
/** Everybody who looks again has looked by then. */
export const ASKED_AGAIN_MILLIS = 5_000;

/** One process that runs one campaign, and what stands in the log of it. */
export function runnerWorld(options: WorldOptions = {}) {
  const stores = sharedStores(options);
  const one = engineProcess(stores, options);
  let sequence = 0;
  const types = () => typesOf(stores, STREAM);
  return {
    stores,
    one,
    started: async (count: number, changes: Partial<CreateCampaignRequest> = {}): Promise<void> => {
      const request = campaignRequest(count, { maxRetries: 0, ...changes });
      await until(stores, one.useCases.createCampaign(CALLER, request));
      await until(stores, one.useCases.startCampaign(CALLER, "cmp_1"));
      await pass(stores, AT_ONCE_MILLIS);
    },
    /** Nobody answered. */
    ends: (callId: CallId, from = one) => {
      sequence += 1;
      return until(
        stores,
        from.sink({
          dedupeKey: `${callId}/${sequence}`,
          callId,
          carrierRef: `ref-${callId}`,
          sequence,
          occurredAt: stores.clock.now(),
          type: "ended",
          endReason: "busy",
          endedBy: null,
          answeredAt: null,
          answeredBy: null,
          recordingExpected: false,
          carrierCode: null,
        }),
      );
    },
    live: (): readonly CallId[] => stores.admission.openSlots().map(({ callId }) => callId),
    types,
    count: (type: string) => types().filter((each) => each === type).length,
    last: () => openEvents(stores, STREAM).at(-1),
    requests: () => openEvents(stores).filter(({ type }) => type === "CallRequested"),
  };
}
