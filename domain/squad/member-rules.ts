import { DomainError } from "../shared/errors.ts";
import type { AssistantId, MemberId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import type { JsonObject } from "../shared/json.ts";
import type { SquadEvent, SquadMember } from "./events.ts";
import type { ExistingSquad, SquadState } from "./state.ts";

export const MAX_MEMBERS = 20;

export type NewMember = {
  readonly memberId: MemberId;
  readonly assistantId: AssistantId;
  readonly assistantVersion: number | null;
  readonly isEntry: boolean;
  /** null: at the end. */
  readonly position: number | null;
  readonly overrideSettings: JsonObject;
};

type MemberChanges = Partial<
  Pick<SquadMember, "assistantVersion" | "isEntry" | "position" | "overrideSettings">
>;

export const memberRules = { AddMember: addMember, ChangeMember: changeMember, RemoveMember: removeMember };

/** An assistant once a squad. The first member is the entry until another is named. */
export function addMember(
  { member, now }: { readonly member: NewMember; readonly now: Instant },
  squad: ExistingSquad,
): readonly SquadEvent[] {
  if (squad.members.has(member.memberId)) return [];
  const members = [...squad.members.values()];
  if (members.some(({ assistantId }) => assistantId === member.assistantId)) {
    throw new DomainError("squad.member-exists", "The assistant is a member already", {
      assistantId: member.assistantId,
    });
  }
  if (members.length >= MAX_MEMBERS)
    throw new DomainError("squad.limit-reached", `A squad has at most ${MAX_MEMBERS} members`);
  const position = member.position ?? Math.max(-1, ...members.map((other) => other.position)) + 1;
  const added: SquadMember = { ...member, position, isEntry: member.isEntry || members.length === 0 };
  return [{ type: "SquadMemberAdded", data: { squadId: squad.squadId, at: now, member: added } }];
}

/** A member stays the entry until another is named, so clearing the flag of the entry changes nothing. */
function changeMember(
  {
    memberId,
    changes,
    now,
  }: { readonly memberId: MemberId; readonly changes: MemberChanges; readonly now: Instant },
  squad: ExistingSquad,
): readonly SquadEvent[] {
  const before = memberOf(squad, memberId);
  const changed: SquadMember = { ...before, ...changes, isEntry: before.isEntry || changes.isEntry === true };
  if (JSON.stringify(changed) === JSON.stringify(before)) return [];
  return [{ type: "SquadMemberChanged", data: { squadId: squad.squadId, at: now, member: changed } }];
}

/** Its links are removed, too. When the entry is removed, the member with the lowest position becomes it. */
function removeMember(
  { memberId, now }: { readonly memberId: MemberId; readonly now: Instant },
  squad: ExistingSquad,
): readonly SquadEvent[] {
  const member = memberOf(squad, memberId);
  const links = [...squad.handoffs.values()].filter(
    ({ fromMemberId, toMemberId }) => fromMemberId === memberId || toMemberId === memberId,
  );
  const rest = [...squad.members.values()]
    .filter((other) => other.memberId !== memberId)
    .toSorted((a, b) => a.position - b.position);
  const newEntryMemberId = member.isEntry ? (rest[0]?.memberId ?? null) : null;
  const removedHandoffIds = links.map(({ handoffId }) => handoffId);
  return [
    {
      type: "SquadMemberRemoved",
      data: { squadId: squad.squadId, at: now, memberId, removedHandoffIds, newEntryMemberId },
    },
  ];
}

function memberOf(state: SquadState, memberId: MemberId): SquadMember {
  const member = state.members.get(memberId);
  if (member === undefined)
    throw new DomainError("squad.member-not-found", "There is no such member", { memberId });
  return member;
}
