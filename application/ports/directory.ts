import type { PlanRecord } from "../../contract/account.ts";
import type { AssistantVersionRecord } from "../../contract/assistant.ts";
import type { ToolRecord } from "../../contract/tool.ts";
import type { SuppressionEntry } from "../../domain/campaign/events.ts";
import type { AssistantId, ConnectionId, OwnerId, PhoneNumberId, ToolId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";

/** A published version of an assistant: frozen. */
export type AssistantVersion = Omit<AssistantVersionRecord, "publishedAt">;

/** The current state of a tool; its config is kept byte for byte as JSON. */
export type ToolEntry = Pick<ToolRecord, "name" | "type" | "description" | "config"> & {
  readonly toolId: ToolId;
};

/** A number to call from. */
export type NumberEntry = {
  readonly phoneNumber: PhoneNumber;
  readonly active: boolean;
  /** The connection that it uses; null: the installation's default. */
  readonly connectionId: ConnectionId | null;
};

/** What a dial needs from the owner's configuration, read at that moment (always for one owner). */
export interface Directory {
  /** null: no such number of this owner. */
  phoneNumber(owner: OwnerId, id: PhoneNumberId): Promise<NumberEntry | null>;
  /** null: no such assistant of this owner; `publishedVersion` null: not published. */
  assistant(owner: OwnerId, id: AssistantId): Promise<{ readonly publishedVersion: number | null } | null>;
  assistantVersion(owner: OwnerId, id: AssistantId, version: number): Promise<AssistantVersion | null>;
  /** Those of `ids` that are tools of this owner, in the given order. */
  tools(owner: OwnerId, ids: readonly ToolId[]): Promise<readonly ToolEntry[]>;
  /** Those of `numbers` that are on the owner's do-not-call list, or on another active one. */
  suppressed(owner: OwnerId, numbers: readonly PhoneNumber[]): Promise<ReadonlySet<PhoneNumber>>;
  /** Those of `numbers` that are on the owner's do-not-call list. */
  onOwnList(owner: OwnerId, numbers: readonly PhoneNumber[]): Promise<ReadonlySet<PhoneNumber>>;
  /** The entries of those of `numbers` that are on a list; of several lists the do-not-call list's. */
  suppressions(
    owner: OwnerId,
    numbers: readonly PhoneNumber[],
  ): Promise<ReadonlyMap<PhoneNumber, SuppressionEntry>>;
  /** null: no such owner. */
  owner(owner: OwnerId): Promise<{ readonly active: boolean; readonly plan: PlanRecord } | null>;
  /**
   * The owner changed a number, an assistant, a suppression or its plan, also in another process: waiting
   * campaigns may be judged again.
   */
  onChange(listener: (owner: OwnerId) => void): () => void;
}
