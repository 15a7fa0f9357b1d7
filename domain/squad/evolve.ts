import { type Folds, foldedBy } from "../shared/decider.ts";
import { notBefore } from "../shared/instant.ts";
import type { HandoffLink, SquadEvent, SquadMember, SquadMemberRemoved } from "./events.ts";
import type { SquadState } from "./state.ts";

export const squadFolds: Folds<SquadState, SquadEvent> = {
  SquadCreated: (state, { squadId, owner, name, description, overrideSettings }) =>
    Object.assign(state, { squadId, owner, name, description, overrideSettings }),
  SquadChanged: (state, { changes }) => Object.assign(state, changes),
  SquadMemberAdded: (state, { member }) => withMember(state, member),
  SquadMemberChanged: (state, { member }) => withMember(state, member),
  SquadMemberRemoved: withoutMember,
  SquadHandoffAdded: (state, { handoff }) => withHandoff(state, handoff),
  SquadHandoffChanged: (state, { handoff }) => withHandoff(state, handoff),
  SquadHandoffRemoved: (state, { handoffId }) => {
    state.handoffs.delete(handoffId);
    return state;
  },
  SquadDeleted: (state) => Object.assign(state, { deleted: true }),
};

export function evolveSquad(state: SquadState, event: SquadEvent): SquadState {
  state.lastAt = notBefore(state.lastAt, event.data.at);
  return foldedBy(squadFolds, state, event);
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

function withHandoff(state: SquadState, handoff: HandoffLink): SquadState {
  state.handoffs.set(handoff.handoffId, handoff);
  return state;
}
