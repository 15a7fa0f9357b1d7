import type { CallEvent } from "../../domain/call/events.ts";
import type { PinnedSpeaker } from "../ports/pinned-conversations.ts";

/** The speaker of the last handoff, or the first speaker if there was none. null: nobody is pinned. */
export function speakingNow(
  events: readonly CallEvent[],
  speakers: readonly PinnedSpeaker[],
): PinnedSpeaker | null {
  const handover = events.findLast((event) => event.type === "CallHandedOver");
  const first = speakers[0] ?? null;
  if (handover === undefined) return first;
  return speakers.find(({ memberId }) => memberId === handover.data.toMemberId) ?? first;
}
