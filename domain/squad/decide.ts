import { assertNever, DomainError } from "../shared/errors.ts";
import type { SquadId } from "../shared/ids.ts";
import type { SquadCommand } from "./commands.ts";
import type { SquadEvent } from "./events.ts";
import { evolveSquad } from "./evolve.ts";
import { addHandoff, changeHandoff, removeHandoff } from "./handoff-rules.ts";
import { addMember, changeMember, removeMember } from "./member-rules.ts";
import { initialSquadState, type SquadState } from "./state.ts";

/** The rules of a squad (docs/api.md §6). A deleted squad counts as not existing. */
export function decideSquad(command: SquadCommand, state: SquadState): readonly SquadEvent[] {
  if (command.type === "CreateSquad") return create(command, state);
  const squadId = existing(state);
  switch (command.type) {
    case "ChangeSquad":
      return change(squadId, command, state);
    case "AddMember":
      return addMember(squadId, command, state);
    case "ChangeMember":
      return changeMember(squadId, command, state);
    case "RemoveMember":
      return removeMember(squadId, command, state);
    case "AddHandoff":
      return addHandoff(squadId, command, state);
    case "ChangeHandoff":
      return changeHandoff(squadId, command, state);
    case "RemoveHandoff":
      return removeHandoff(squadId, command, state);
    case "DeleteSquad":
      return [{ type: "SquadDeleted", data: { squadId, at: command.now } }];
    default:
      return assertNever(command);
  }
}

function existing({ squadId, deleted }: SquadState): SquadId {
  if (squadId === null || deleted) throw new DomainError("squad.not-found", "There is no such squad");
  return squadId;
}

/** The whole squad in one append; each part is judged as if it were added alone, in order. */
function create(
  command: Extract<SquadCommand, { type: "CreateSquad" }>,
  state: SquadState,
): readonly SquadEvent[] {
  if (state.squadId !== null) return [];
  const { squadId, owner, name, description, overrideSettings, members, handoffs, now } = command;
  const events: SquadEvent[] = [
    { type: "SquadCreated", data: { squadId, at: now, owner, name, description, overrideSettings } },
  ];
  const made = events.reduce(evolveSquad, initialSquadState());
  const add = (added: readonly SquadEvent[]) => {
    for (const event of added) evolveSquad(made, event);
    events.push(...added);
  };
  for (const member of members) add(addMember(squadId, { type: "AddMember", member, now }, made));
  for (const handoff of handoffs) add(addHandoff(squadId, { type: "AddHandoff", handoff, now }, made));
  return events;
}

function change(
  squadId: SquadId,
  { changes, now }: Extract<SquadCommand, { type: "ChangeSquad" }>,
  state: SquadState,
): readonly SquadEvent[] {
  const before = new Map<string, unknown>(Object.entries(state));
  const real = Object.entries(changes).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
  );
  return real.length === 0
    ? []
    : [{ type: "SquadChanged", data: { squadId, at: now, changes: Object.fromEntries(real) } }];
}
