import type { CallRequested } from "../../domain/call/events.ts";
import type { Carrier } from "../ports/carrier.ts";
import type { PinnedConversations } from "../ports/pinned-conversations.ts";

/**
 * Whether the carrier records the call: if its assistant says so. Simulated calls, on which no person speaks,
 * are recorded unless it says no.
 */
export async function isRecorded(
  pinnedConversations: Pick<PinnedConversations, "read">,
  {
    pinned,
    assistant,
  }: {
    readonly pinned?: string;
    readonly assistant: Pick<CallRequested["data"]["assistant"], "assistantId">;
  },
  { can, kind }: Pick<Carrier, "can" | "kind">,
): Promise<boolean> {
  if (!can.records) return false;
  const conversation = pinned === undefined ? null : await pinnedConversations.read(pinned);
  const speaker = conversation?.speakers.find(({ assistantId }) => assistantId === assistant.assistantId);
  const wish = speaker?.recording ?? null;
  return wish === null ? kind === "simulated" : wish === "on";
}
