import type { HandoffId, MemberId, SquadId } from "../../domain/shared/ids.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import type { ContextMode, HandoffVariable, SquadChanged } from "../../domain/squad/events.ts";

export type SquadChanges = SquadChanged["data"]["changes"];

export type MemberInput = {
  readonly assistantId: string;
  /** null: the latest published one. */
  readonly assistantVersion: number | null;
  readonly isEntry: boolean;
  /** null: at the end. */
  readonly position: number | null;
  readonly overrideSettings: JsonObject;
};

export type MemberChanges = {
  readonly assistantVersion?: number | null;
  readonly isEntry?: boolean;
  readonly position?: number;
  readonly overrideSettings?: JsonObject;
};

export type HandoffInput = {
  /** A member id or an assistant id. */
  readonly from: string;
  readonly to: string;
  /** null: handoff_to_<slug of the assistant's name>, made unique for each from. */
  readonly toolName: string | null;
  readonly description: string;
  readonly message: string | null;
  readonly contextMode: ContextMode;
  readonly contextMaxMessages: number | null;
  readonly variables: readonly HandoffVariable[];
  readonly enabled: boolean;
};

export type HandoffChanges = Partial<Omit<HandoffInput, "from" | "to" | "toolName">> & {
  readonly toolName?: string;
};

export type CreateSquadRequest = {
  /** The id of the Idempotency-Key row; null without a key. */
  readonly reservedSquadId: SquadId | null;
  readonly name: string;
  readonly description: string | null;
  readonly overrideSettings: JsonObject;
  readonly members: readonly MemberInput[];
  readonly handoffs: readonly HandoffInput[];
};

export type RemovedMemberAnswer = {
  readonly memberId: MemberId;
  readonly removedHandoffIds: readonly HandoffId[];
  readonly newEntryMemberId: MemberId | null;
};
