import type { HandoffId, MemberId, SquadId } from "../../domain/shared/ids.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import type { NewHandoff, NewMember } from "../../domain/squad/commands.ts";
import type { ContextMode, HandoffVariable, SquadChanged } from "../../domain/squad/events.ts";
import type { UseCaseDeps } from "./deps.ts";
import type { Caller, Outcome } from "./outcome.ts";
import { changeTheirs, handleSquad } from "./squad-command.ts";
import { toolNameFor } from "./squad-handoffs.ts";
import { newMember } from "./squad-members.ts";

export type SquadChanges = SquadChanged["data"]["changes"];

export type MemberInput = {
  readonly assistantId: string;
  /** null: the latest published one. */
  readonly assistantVersion: number | null;
  readonly isEntry: boolean;
  /** null: after the last. */
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
  /** null: handoff_to_<slug of the assistant's name>, made unique per from. */
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
  /** The id that the Idempotency-Key row holds; null without a key. */
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

export async function createSquad(
  deps: UseCaseDeps,
  caller: Caller,
  request: CreateSquadRequest,
): Promise<Outcome<{ readonly squadId: SquadId }>> {
  const squadId = request.reservedSquadId ?? deps.ids.next("sqd");
  const members: NewMember[] = [];
  for (const [index, input] of request.members.entries()) {
    const member = await newMember(deps, caller, input, deps.ids.next("mbr"), ["members", index]);
    if (!member.ok) return member;
    members.push(member.value);
  }
  const handoffs: NewHandoff[] = [];
  for (const handoff of request.handoffs) {
    const toolName = handoff.toolName ?? (await toolNameFor(deps, caller, squadId, handoff.to));
    handoffs.push({ ...handoff, toolName, handoffId: deps.ids.next("hnd") });
  }
  const { name, description, overrideSettings } = request;
  const now = deps.clock.now();
  const whole = { squadId, owner: caller.owner, name, description, overrideSettings, members, handoffs, now };
  return handleSquad(deps, caller, squadId, { type: "CreateSquad", ...whole }, () => ({ squadId }));
}

export async function changeSquad(
  deps: UseCaseDeps,
  caller: Caller,
  squadId: SquadId,
  changes: SquadChanges,
): Promise<Outcome<null>> {
  return changeTheirs(deps, caller, squadId, { type: "ChangeSquad", changes, now: deps.clock.now() });
}

export async function deleteSquad(
  deps: UseCaseDeps,
  caller: Caller,
  squadId: SquadId,
): Promise<Outcome<null>> {
  return changeTheirs(deps, caller, squadId, { type: "DeleteSquad", now: deps.clock.now() });
}
