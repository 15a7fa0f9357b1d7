import { DomainError } from "../shared/errors.ts";
import type { HandoffId, MemberId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import type { HandoffLink, SquadEvent } from "./events.ts";
import type { ExistingSquad, SquadState } from "./state.ts";

export const MAX_HANDOFFS_PER_MEMBER = 10;

/** `from` and `to` name a member by its id or by its assistant's id. */
export type NewHandoff = Omit<HandoffLink, "fromMemberId" | "toMemberId"> & {
  readonly from: string;
  readonly to: string;
};

type HandoffChanges = Partial<Omit<HandoffLink, "handoffId" | "fromMemberId" | "toMemberId">>;

export const handoffRules = {
  AddHandoff: addHandoff,
  ChangeHandoff: changeHandoff,
  RemoveHandoff: removeHandoff,
};

/**
 * Both ends are members, no link to itself, one link for each (from, to), tool names unique for each from.
 */
export function addHandoff(
  { handoff, now }: { readonly handoff: NewHandoff; readonly now: Instant },
  squad: ExistingSquad,
): readonly SquadEvent[] {
  if (squad.handoffs.has(handoff.handoffId)) return [];
  const { from, to, ...rest } = handoff;
  const [fromMemberId, toMemberId] = [endOf(squad, from, "from"), endOf(squad, to, "to")];
  if (fromMemberId === toMemberId)
    throw new DomainError("squad.handoff-to-itself", "A member cannot hand over to itself");
  const siblings = [...squad.handoffs.values()].filter((link) => link.fromMemberId === fromMemberId);
  if (siblings.some((link) => link.toMemberId === toMemberId))
    throw new DomainError("squad.handoff-exists", "There is a handoff between the two already");
  if (siblings.length >= MAX_HANDOFFS_PER_MEMBER)
    throw new DomainError("squad.limit-reached", `A member has at most ${MAX_HANDOFFS_PER_MEMBER} handoffs`);
  const link: HandoffLink = {
    ...rest,
    fromMemberId,
    toMemberId,
    toolName: freeToolName(rest.toolName, siblings),
  };
  return [{ type: "SquadHandoffAdded", data: { squadId: squad.squadId, at: now, handoff: link } }];
}

function changeHandoff(
  {
    handoffId,
    changes,
    now,
  }: { readonly handoffId: HandoffId; readonly changes: HandoffChanges; readonly now: Instant },
  squad: ExistingSquad,
): readonly SquadEvent[] {
  const before = handoffOf(squad, handoffId);
  const siblings = [...squad.handoffs.values()].filter(
    (link) => link.fromMemberId === before.fromMemberId && link.handoffId !== handoffId,
  );
  const toolName =
    changes.toolName === undefined ? before.toolName : freeToolName(changes.toolName, siblings);
  const changed: HandoffLink = { ...before, ...changes, toolName };
  if (JSON.stringify(changed) === JSON.stringify(before)) return [];
  return [{ type: "SquadHandoffChanged", data: { squadId: squad.squadId, at: now, handoff: changed } }];
}

function removeHandoff(
  { handoffId, now }: { readonly handoffId: HandoffId; readonly now: Instant },
  squad: ExistingSquad,
): readonly SquadEvent[] {
  handoffOf(squad, handoffId);
  return [{ type: "SquadHandoffRemoved", data: { squadId: squad.squadId, at: now, handoffId } }];
}

/** handoff_to_<slug>, with a number when the member has that tool name already. */
function freeToolName(wanted: string, siblings: readonly HandoffLink[]): string {
  const taken = new Set(siblings.map(({ toolName }) => toolName));
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted}_${number}`;
  return name;
}

/** An end is named by member id or assistant id. */
function endOf(state: SquadState, name: string, end: "from" | "to"): MemberId {
  const member = [...state.members.values()].find(
    ({ memberId, assistantId }) => memberId === name || assistantId === name,
  );
  if (member === undefined)
    throw new DomainError(
      "squad.handoff-end-unknown",
      "Both ends of a handoff must be members of the squad",
      { end },
    );
  return member.memberId;
}

function handoffOf(state: SquadState, handoffId: HandoffId): HandoffLink {
  const link = state.handoffs.get(handoffId);
  if (link === undefined)
    throw new DomainError("squad.handoff-not-found", "There is no such handoff", { handoffId });
  return link;
}
