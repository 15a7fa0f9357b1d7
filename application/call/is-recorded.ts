import type { CallRequested } from "../../domain/call/events.ts";
import type { Carrier } from "../ports/carrier.ts";
import type { PinnedConversations } from "../ports/pinned-conversations.ts";

/** Whether the carrier is to record the call: when its assistant says so; simulated ones, which nobody speaks on, unless it says no. */
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
