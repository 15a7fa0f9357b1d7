import type { AssistantId, HandoffId, MemberId, OwnerId, SquadId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import type { JsonObject } from "../shared/json.ts";
import type { HandoffLink, SquadChanged, SquadMember } from "./events.ts";

export type NewMember = {
  readonly memberId: MemberId;
  readonly assistantId: AssistantId;
  readonly assistantVersion: number | null;
  readonly isEntry: boolean;
  /** null: at the end. */
  readonly position: number | null;
  readonly overrideSettings: JsonObject;
};

/** `from` and `to` name a member by its id or by its assistant's id. */
export type NewHandoff = Omit<HandoffLink, "fromMemberId" | "toMemberId"> & {
  readonly from: string;
  readonly to: string;
};

export type MemberChanges = Partial<
  Pick<SquadMember, "assistantVersion" | "isEntry" | "position" | "overrideSettings">
>;
export type HandoffChanges = Partial<Omit<HandoffLink, "handoffId" | "fromMemberId" | "toMemberId">>;

export type SquadCommand =
  | {
      readonly type: "CreateSquad";
      readonly squadId: SquadId;
      readonly owner: OwnerId;
      readonly name: string;
      readonly description: string | null;
      readonly overrideSettings: JsonObject;
      readonly members: readonly NewMember[];
      readonly handoffs: readonly NewHandoff[];
      readonly now: Instant;
    }
  | { readonly type: "ChangeSquad"; readonly changes: SquadChanged["data"]["changes"]; readonly now: Instant }
  | { readonly type: "AddMember"; readonly member: NewMember; readonly now: Instant }
  | {
      readonly type: "ChangeMember";
      readonly memberId: MemberId;
      readonly changes: MemberChanges;
      readonly now: Instant;
    }
  | { readonly type: "RemoveMember"; readonly memberId: MemberId; readonly now: Instant }
  | { readonly type: "AddHandoff"; readonly handoff: NewHandoff; readonly now: Instant }
  | {
      readonly type: "ChangeHandoff";
      readonly handoffId: HandoffId;
      readonly changes: HandoffChanges;
      readonly now: Instant;
    }
  | { readonly type: "RemoveHandoff"; readonly handoffId: HandoffId; readonly now: Instant }
  | { readonly type: "DeleteSquad"; readonly now: Instant };
