import { assertNever } from "../shared/errors.ts";
import { notBefore } from "../shared/instant.ts";
import type { SquadEvent, SquadMember, SquadMemberRemoved } from "./events.ts";
import type { SquadState } from "./state.ts";

export function evolveSquad(state: SquadState, event: SquadEvent): SquadState {
  state.lastAt = notBefore(state.lastAt, event.data.at);
  switch (event.type) {
    case "SquadCreated": {
      const { squadId, owner, name, description, overrideSettings } = event.data;
      return Object.assign(state, { squadId, owner, name, description, overrideSettings });
    }
    case "SquadChanged":
      return Object.assign(state, event.data.changes);
    case "SquadMemberAdded":
    case "SquadMemberChanged":
      return withMember(state, event.data.member);
    case "SquadMemberRemoved":
      return withoutMember(state, event.data);
    case "SquadHandoffAdded":
    case "SquadHandoffChanged":
      state.handoffs.set(event.data.handoff.handoffId, event.data.handoff);
      return state;
    case "SquadHandoffRemoved":
      state.handoffs.delete(event.data.handoffId);
      return state;
    case "SquadDeleted":
      state.deleted = true;
      return state;
    default:
      return assertNever(event);
  }
}

/** There is exactly one entry: when a member becomes it, the former one stops being it. */
function withMember(state: SquadState, member: SquadMember): SquadState {
  if (member.isEntry) {
    for (const other of state.members.values())
      if (other.isEntry) state.members.set(other.memberId, { ...other, isEntry: false });
  }
  state.members.set(member.memberId, member);
  return state;
}

function withoutMember(
  state: SquadState,
  { memberId, removedHandoffIds, newEntryMemberId }: SquadMemberRemoved["data"],
): SquadState {
  state.members.delete(memberId);
  for (const handoffId of removedHandoffIds) state.handoffs.delete(handoffId);
  const entry = newEntryMemberId === null ? undefined : state.members.get(newEntryMemberId);
  if (entry !== undefined) state.members.set(entry.memberId, { ...entry, isEntry: true });
  return state;
}
