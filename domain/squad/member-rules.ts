import { DomainError } from "../shared/errors.ts";
import type { MemberId, SquadId } from "../shared/ids.ts";
import type { SquadCommandOf } from "./commands.ts";
import type { SquadEvent, SquadMember } from "./events.ts";
import type { SquadState } from "./state.ts";

export const MAX_MEMBERS = 20;

/** An assistant once a squad. The first member is the entry until another is named. */
export function addMember(
  squadId: SquadId,
  { member, now }: SquadCommandOf<"AddMember">,
  state: SquadState,
): readonly SquadEvent[] {
  if (state.members.has(member.memberId)) return [];
  const members = [...state.members.values()];
  if (members.some(({ assistantId }) => assistantId === member.assistantId)) {
    throw new DomainError("squad.member-exists", "The assistant is a member already", {
      assistantId: member.assistantId,
    });
  }
  if (members.length >= MAX_MEMBERS)
    throw new DomainError("squad.limit-reached", `A squad has at most ${MAX_MEMBERS} members`);
  const position = member.position ?? Math.max(-1, ...members.map((other) => other.position)) + 1;
  const added: SquadMember = { ...member, position, isEntry: member.isEntry || members.length === 0 };
  return [{ type: "SquadMemberAdded", data: { squadId, at: now, member: added } }];
}

/** A member stays the entry until another is named, so clearing the flag of the entry changes nothing. */
export function changeMember(
  squadId: SquadId,
  { memberId, changes, now }: SquadCommandOf<"ChangeMember">,
  state: SquadState,
): readonly SquadEvent[] {
  const before = memberOf(state, memberId);
  const changed: SquadMember = { ...before, ...changes, isEntry: before.isEntry || changes.isEntry === true };
  if (JSON.stringify(changed) === JSON.stringify(before)) return [];
  return [{ type: "SquadMemberChanged", data: { squadId, at: now, member: changed } }];
}

/** Its links are removed, too. When the entry is removed, the member with the lowest position becomes it. */
export function removeMember(
  squadId: SquadId,
  { memberId, now }: SquadCommandOf<"RemoveMember">,
  state: SquadState,
): readonly SquadEvent[] {
  const member = memberOf(state, memberId);
  const links = [...state.handoffs.values()].filter(
    ({ fromMemberId, toMemberId }) => fromMemberId === memberId || toMemberId === memberId,
  );
  const rest = [...state.members.values()]
    .filter((other) => other.memberId !== memberId)
    .toSorted((a, b) => a.position - b.position);
  const newEntryMemberId = member.isEntry ? (rest[0]?.memberId ?? null) : null;
  const removedHandoffIds = links.map(({ handoffId }) => handoffId);
  return [
    { type: "SquadMemberRemoved", data: { squadId, at: now, memberId, removedHandoffIds, newEntryMemberId } },
  ];
}

function memberOf(state: SquadState, memberId: MemberId): SquadMember {
  const member = state.members.get(memberId);
  if (member === undefined)
    throw new DomainError("squad.member-not-found", "There is no such member", { memberId });
  return member;
}
