import type {
  PinnedConversation,
  PinnedConversations,
} from "../../application/ports/pinned-conversations.ts";
import { pinnedKey } from "../../infrastructure/pinned/pinned-key.ts";

export function createMemoryPinnedConversations(): PinnedConversations {
  const rows = new Map<string, string>();
  return {
    store: async (conversation) => {
      const { sha256, body } = pinnedKey(conversation);
      rows.set(sha256, body);
      return sha256;
    },
    read: async (sha256) => {
      const body = rows.get(sha256);
      return body === undefined ? null : (JSON.parse(body) as PinnedConversation);
    },
  };
}
