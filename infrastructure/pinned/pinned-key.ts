import { createHash } from "node:crypto";
import type { PinnedConversation } from "../../application/ports/pinned-conversations.ts";
import { canonicalJson } from "../../domain/shared/canonical-json.ts";

/** The text that is stored, and its SHA-256 in hex. */
export function pinnedKey(conversation: PinnedConversation): {
  readonly sha256: string;
  readonly body: string;
} {
  const body = canonicalJson(conversation);
  return { sha256: createHash("sha256").update(body).digest("hex"), body };
}
