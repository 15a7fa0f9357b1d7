import type { AssistantId, HandoffId, MemberId, OwnerId, SquadId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import type { JsonObject } from "../../../domain/shared/json.ts";
import type { ContextMode, HandoffVariable } from "../../../domain/squad/events.ts";

export type SquadMemberRecord = {
  readonly id: MemberId;
  readonly squadId: SquadId;
  readonly assistantId: AssistantId;
  readonly assistantVersion: number | null;
  readonly isEntry: boolean;
  readonly position: number;
  readonly overrideSettings: JsonObject;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

export type HandoffRecord = {
  readonly id: HandoffId;
  readonly squadId: SquadId;
  readonly fromMemberId: MemberId;
  readonly toMemberId: MemberId;
  readonly fromAssistantId: AssistantId;
  readonly toAssistantId: AssistantId;
  readonly toolName: string;
  readonly description: string;
  readonly message: string | null;
  readonly contextMode: ContextMode;
  readonly contextMaxMessages: number | null;
  readonly variables: readonly HandoffVariable[];
  readonly enabled: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** Members by position, handoffs by creation. */
export type SquadRecord = {
  readonly id: SquadId;
  readonly name: string;
  readonly description: string | null;
  readonly overrideSettings: JsonObject;
  readonly members: readonly SquadMemberRecord[];
  readonly handoffs: readonly HandoffRecord[];
  readonly userId: OwnerId;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};
