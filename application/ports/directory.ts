import type { AssistantId, OwnerId, PhoneNumberId, ToolId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { AssistantDraft } from "./configuration/assistants.ts";
import type { ToolDraft } from "./configuration/tools.ts";

/** A published version of an assistant: frozen. */
export type AssistantVersion = AssistantDraft & {
  readonly assistantId: AssistantId;
  readonly version: number;
};

/** A tool as it is now. */
export type ToolEntry = ToolDraft & { readonly toolId: ToolId };

export type Plan = { readonly maxConcurrentCalls: number; readonly maxCallsPerSecond: number };

/** What a dial asks of the owner's configuration, read at that moment (everything is scoped to the owner). */
export interface Directory {
  /** null: no such number of this owner. */
  phoneNumber(
    owner: OwnerId,
    id: PhoneNumberId,
  ): Promise<{ readonly phoneNumber: PhoneNumber; readonly active: boolean } | null>;
  /** null: no such assistant of this owner; `publishedVersion` null: not published. */
  assistant(owner: OwnerId, id: AssistantId): Promise<{ readonly publishedVersion: number | null } | null>;
  assistantVersion(owner: OwnerId, id: AssistantId, version: number): Promise<AssistantVersion | null>;
  /** Those of `ids` that are tools of this owner, in the order given. */
  tools(owner: OwnerId, ids: readonly ToolId[]): Promise<readonly ToolEntry[]>;
  /** Those of `numbers` that are on the owner's do-not-call list. */
  suppressed(owner: OwnerId, numbers: readonly PhoneNumber[]): Promise<ReadonlySet<PhoneNumber>>;
  /** null: no such owner. */
  owner(owner: OwnerId): Promise<{ readonly active: boolean; readonly plan: Plan } | null>;
  /** The owner changed a number, an assistant, a suppression, its plan: what waits may be judged again. Also when it happened in another process. */
  onChange(listener: (owner: OwnerId) => void): () => void;
}
