import type { AssistantRecord, AssistantVersionRecord } from "../../../contract/assistant.ts";
import type { AssistantId, OwnerId, ToolId } from "../../../domain/shared/ids.ts";
import type { Page, PageRequest } from "../queries/pages.ts";
import type { Made, Saved } from "./saved.ts";

/** The fields that a user writes (docs/api.md §3), with defaults filled in. */
export type AssistantDraft = Omit<AssistantVersionRecord, "assistantId" | "version" | "publishedAt">;

/** Those of `toolIds` that are not tools of this owner, in the given order. */
export type ToolsNotFound = { readonly reason: "tools_not_found"; readonly toolIds: readonly ToolId[] };
/** A draft, and what publish does not freeze. */
export type AssistantSettings = AssistantDraft & { readonly publishNeedsRehearsal?: boolean };
export type AssistantNotFound = { readonly reason: "not_found" };

export type NotPublished = { readonly reason: "rehearsal_required" | "rehearsal_not_passed" };

/** Assistants of one owner. Lists: newest first. */
export interface Assistants {
  create(
    owner: OwnerId,
    id: AssistantId,
    settings: AssistantSettings,
  ): Promise<Saved<Made<AssistantRecord>, ToolsNotFound>>;
  get(owner: OwnerId, id: AssistantId): Promise<AssistantRecord | null>;
  list(owner: OwnerId, page: PageRequest<AssistantId>): Promise<Page<AssistantRecord, AssistantId>>;
  /** Changes the draft only; published versions do not change. */
  change(
    owner: OwnerId,
    id: AssistantId,
    changes: Partial<AssistantSettings>,
  ): Promise<Saved<AssistantRecord, ToolsNotFound | AssistantNotFound>>;
  /**
   * Freezes the draft as version n+1. With a rehearsal, any text, only if this very draft passed it: in the
   * same transaction. null: unknown.
   */
  publish(
    owner: OwnerId,
    id: AssistantId,
    rehearsalId?: string | null,
  ): Promise<Saved<AssistantRecord, NotPublished> | null>;
  /** A repeat changes nothing; null: unknown. */
  unpublish(owner: OwnerId, id: AssistantId): Promise<AssistantRecord | null>;
  /** Newest first; `after` is a version. null: unknown assistant. */
  versions(
    owner: OwnerId,
    id: AssistantId,
    page: PageRequest<number>,
  ): Promise<Page<AssistantVersionRecord, number> | null>;
  /**
   * Deletes it with all versions. The caller first asks the squads whether one uses it
   * (ASSISTANT_IN_USE). False: unknown.
   */
  delete(owner: OwnerId, id: AssistantId): Promise<boolean>;
}
