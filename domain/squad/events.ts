import type { AssistantId, HandoffId, MemberId, OwnerId, SquadId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import type { JsonObject } from "../shared/json.ts";

export type ContextMode = "all" | "last_n" | "user_and_assistant" | "previous" | "none";

export type HandoffVariable = {
  readonly name: string;
  readonly type: "string" | "number" | "boolean";
  readonly description: string;
  readonly required: boolean;
};

export type SquadMember = {
  readonly memberId: MemberId;
  readonly assistantId: AssistantId;
  /** null: the latest published one. */
  readonly assistantVersion: number | null;
  readonly isEntry: boolean;
  readonly position: number;
  readonly overrideSettings: JsonObject;
};

export type HandoffLink = {
  readonly handoffId: HandoffId;
  readonly fromMemberId: MemberId;
  readonly toMemberId: MemberId;
  /** handoff_to_<slug>, unique per from. */
  readonly toolName: string;
  readonly description: string;
  readonly message: string | null;
  readonly contextMode: ContextMode;
  readonly contextMaxMessages: number | null;
  readonly variables: readonly HandoffVariable[];
  readonly enabled: boolean;
};

type SquadMoment = { readonly squadId: SquadId; readonly at: Instant };

export type SquadCreated = {
  readonly type: "SquadCreated";
  readonly data: SquadMoment & {
    readonly owner: OwnerId;
    readonly name: string;
    readonly description: string | null;
    readonly overrideSettings: JsonObject;
  };
};
export type SquadChanged = {
  readonly type: "SquadChanged";
  readonly data: SquadMoment & {
    readonly changes: {
      readonly name?: string;
      readonly description?: string | null;
      readonly overrideSettings?: JsonObject;
    };
  };
};
export type SquadMemberAdded = {
  readonly type: "SquadMemberAdded";
  readonly data: SquadMoment & { readonly member: SquadMember };
};
/** `member` is the complete member after the change. */
export type SquadMemberChanged = {
  readonly type: "SquadMemberChanged";
  readonly data: SquadMoment & { readonly member: SquadMember };
};
/** Its links are removed, too. `newEntryMemberId` is set when the entry was removed. */
export type SquadMemberRemoved = {
  readonly type: "SquadMemberRemoved";
  readonly data: SquadMoment & {
    readonly memberId: MemberId;
    readonly removedHandoffIds: readonly HandoffId[];
    readonly newEntryMemberId: MemberId | null;
  };
};
export type SquadHandoffAdded = {
  readonly type: "SquadHandoffAdded";
  readonly data: SquadMoment & { readonly handoff: HandoffLink };
};
export type SquadHandoffChanged = {
  readonly type: "SquadHandoffChanged";
  readonly data: SquadMoment & { readonly handoff: HandoffLink };
};
export type SquadHandoffRemoved = {
  readonly type: "SquadHandoffRemoved";
  readonly data: SquadMoment & { readonly handoffId: HandoffId };
};
export type SquadDeleted = { readonly type: "SquadDeleted"; readonly data: SquadMoment };

export type SquadEvent =
  | SquadCreated
  | SquadChanged
  | SquadMemberAdded
  | SquadMemberChanged
  | SquadMemberRemoved
  | SquadHandoffAdded
  | SquadHandoffChanged
  | SquadHandoffRemoved
  | SquadDeleted;
