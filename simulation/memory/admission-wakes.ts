import type { Clock } from "../../application/ports/clock.ts";
import { wakeRound } from "../../domain/admission/fair-share.ts";
import type { OwnerBook } from "../../domain/admission/owner-book.ts";
import type { Wake } from "../../domain/admission/requests.ts";
import type { SharedBook } from "../../domain/admission/shared-book.ts";
import { sharedRound } from "../../domain/admission/shared-round.ts";
import type { Millis } from "../../domain/admission/slots.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import { createListeners } from "./listeners.ts";

/** Tells who could go on, at once and at the times that come by themselves. */
export function createMemoryWakes(clock: Clock, bookOf: (owner: OwnerId) => OwnerBook) {
  const listeners = createListeners<Wake>();
  const planned = new Map<OwnerId, Millis>();

  const round = (owner: OwnerId): void => {
    const { wakes, again } = wakeRound(bookOf(owner), clock.nowMillis());
    for (const campaignId of wakes) listeners.tell({ owner, campaignId });
    if (again !== null) void plan(owner, again);
  };
  const plan = async (owner: OwnerId, at: Millis): Promise<void> => {
    const earlier = planned.get(owner);
    if (earlier !== undefined && earlier <= at) return;
    planned.set(owner, at);
    await clock.sleep(at - clock.nowMillis());
    if (planned.get(owner) !== at) return;
    planned.delete(owner);
    round(owner);
  };
  return {
    round,
    shared: (shared: SharedBook): void => {
      for (const wake of sharedRound(shared, clock.nowMillis())) listeners.tell(wake);
    },
    all: (owner: OwnerId): void => {
      for (const campaignId of bookOf(owner).demands.keys()) listeners.tell({ owner, campaignId });
    },
    onWake: listeners.add,
  };
}
