import type pg from "pg";
import type {
  PinnedConversation,
  PinnedConversations,
} from "../../application/ports/pinned-conversations.ts";
import { createRecentMap } from "../../application/recent-map.ts";
import { pinnedKey } from "./pinned-key.ts";

/** The same conversation serves many calls. Most have some thousands of characters, the largest millions. */
const KEPT_CHARACTERS = 16 * 1_024 * 1_024;

type Kept = { readonly conversation: PinnedConversation; readonly characters: number };

/**
 * Table `config.pinned`. Recently stored or read rows are cached: a row never changes and is never deleted.
 */
export function createPostgresPinnedConversations(pool: pg.Pool): PinnedConversations {
  const known = createRecentMap<string, Kept>(
    KEPT_CHARACTERS,
    () => true,
    ({ characters }) => characters,
  );
  return {
    store: async (conversation) => {
      const { sha256, body } = pinnedKey(conversation);
      if (known.get(sha256) !== undefined) return sha256;
      await pool.query({
        name: "store pinned",
        text: "insert into config.pinned (sha256, owner, body) values ($1, $2, $3) on conflict (sha256) do nothing",
        values: [sha256, conversation.owner, body],
      });
      known.set(sha256, { conversation, characters: body.length });
      return sha256;
    },
    read: async (sha256) => {
      const remembered = known.get(sha256);
      if (remembered !== undefined) return remembered.conversation;
      const { rows } = await pool.query<Kept>({
        name: "read pinned",
        text: `select body as conversation, length(body::text) as characters
          from config.pinned where sha256 = $1`,
        values: [sha256],
      });
      const found = rows[0] ?? null;
      if (found !== null) known.set(sha256, found);
      return found?.conversation ?? null;
    },
  };
}
