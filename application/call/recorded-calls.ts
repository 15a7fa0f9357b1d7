import type { CallRequested, CarrierKind } from "../../domain/call/events.ts";
import type { PinnedConversations } from "../ports/pinned-conversations.ts";
import { createRecentMap } from "../recent-map.ts";

const KEPT = 1_000;

/** Whether a carrier is to record a call: as its first speaker says, else simulated calls alone (docs/api.md §3). */
export type RecordedCalls = (
  request: Pick<CallRequested["data"], "pinned">,
  kind: CarrierKind,
) => Promise<boolean>;

export function createRecordedCalls(pinned: Pick<PinnedConversations, "read">): RecordedCalls {
  const wishes = createRecentMap<string, boolean>(KEPT);
  return async ({ pinned: sha256 }, kind) => {
    // The simulated carrier makes a recording of the words, whoever wants one.
    if (kind === "simulated") return true;
    if (sha256 === undefined) return false;
    const known = wishes.get(sha256);
    if (known !== undefined) return known;
    const conversation = await pinned.read(sha256);
    const wish = conversation?.speakers[0]?.recording === "on";
    wishes.set(sha256, wish);
    return wish;
  };
}
