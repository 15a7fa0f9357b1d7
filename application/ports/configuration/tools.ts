import type { ToolRecord } from "../../../contract/tool.ts";
import type { AssistantId, OwnerId, ToolId } from "../../../domain/shared/ids.ts";
import type { Page, PageRequest } from "../queries/pages.ts";
import type { Made, Saved } from "./saved.ts";

/** The fields that a user writes; `config` as checked for its type. */
export type ToolDraft = Omit<ToolRecord, "id" | "createdAt" | "updatedAt">;

export type ToolRefusal =
  | { readonly reason: "not_found" }
  /** An assistant uses it in its draft or its published version. */
  | { readonly reason: "in_use"; readonly assistantIds: readonly AssistantId[] };

/** Tools of one owner. Lists: newest first. */
export interface Tools {
  create(owner: OwnerId, id: ToolId, draft: ToolDraft): Promise<Made<ToolRecord>>;
  get(owner: OwnerId, id: ToolId): Promise<ToolRecord | null>;
  list(owner: OwnerId, page: PageRequest<ToolId>): Promise<Page<ToolRecord, ToolId>>;
  /** null: unknown. */
  change(owner: OwnerId, id: ToolId, changes: Partial<ToolDraft>): Promise<ToolRecord | null>;
  delete(owner: OwnerId, id: ToolId): Promise<Saved<null, ToolRefusal>>;
}
