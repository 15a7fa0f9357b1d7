import { createMemoryPinnedConversations } from "../../../simulation/memory/pinned-conversations.ts";
import { pinnedConversationsContract } from "./contract.ts";

pinnedConversationsContract(() => {
  const first = createMemoryPinnedConversations();
  return { first, again: first };
});
