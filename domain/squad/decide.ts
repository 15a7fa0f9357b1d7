import { inOrder, type Of } from "../shared/decider.ts";
import { assertNever } from "../shared/errors.ts";
import type { SquadCommand } from "./commands.ts";
import type { SquadEvent } from "./events.ts";
import { evolveSquad } from "./evolve.ts";
import { addHandoff, changeHandoff, removeHandoff } from "./handoff-rules.ts";
import { addMember, changeMember, removeMember } from "./member-rules.ts";
import { type ExistingSquad, existing, initialSquadState, type SquadState } from "./state.ts";

/**
 * The rules of a squad (docs/api.md §6), judged at a time that is not before its latest event. A deleted
 * squad counts as not existing.
 */
export function decideSquad(command: SquadCommand, state: SquadState): readonly SquadEvent[] {
  return decideAt(inOrder(command, state), state);
}

function decideAt(command: SquadCommand, state: SquadState): readonly SquadEvent[] {
  if (command.type === "CreateSquad") return create(command, state);
  const squad = existing(state);
  switch (command.type) {
    case "ChangeSquad":
      return change(command, squad);
    case "AddMember":
      return addMember(command, squad);
    case "ChangeMember":
      return changeMember(command, squad);
    case "RemoveMember":
      return removeMember(command, squad);
    case "AddHandoff":
      return addHandoff(command, squad);
    case "ChangeHandoff":
      return changeHandoff(command, squad);
    case "RemoveHandoff":
      return removeHandoff(command, squad);
    case "DeleteSquad":
      return [{ type: "SquadDeleted", data: { squadId: squad.squadId, at: command.now } }];
    default:
      return assertNever(command);
  }
}

/** The whole squad in one append; each part is judged as if it were added alone, in order. */
function create(command: Of<SquadCommand, "CreateSquad">, state: SquadState): readonly SquadEvent[] {
  if (state.squadId !== null) return [];
  const { squadId, owner, name, description, overrideSettings, members, handoffs, now } = command;
  const events: SquadEvent[] = [
    { type: "SquadCreated", data: { squadId, at: now, owner, name, description, overrideSettings } },
  ];
  const made = existing(events.reduce(evolveSquad, initialSquadState()));
  const add = (added: readonly SquadEvent[]) => {
    for (const event of added) evolveSquad(made, event);
    events.push(...added);
  };
  for (const member of members) add(addMember({ type: "AddMember", member, now }, made));
  for (const handoff of handoffs) add(addHandoff({ type: "AddHandoff", handoff, now }, made));
  return events;
}

function change(
  { changes, now }: Of<SquadCommand, "ChangeSquad">,
  squad: ExistingSquad,
): readonly SquadEvent[] {
  const before = new Map<string, unknown>(Object.entries(squad));
  const real = Object.entries(changes).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
  );
  return real.length === 0
    ? []
    : [
        {
          type: "SquadChanged",
          data: { squadId: squad.squadId, at: now, changes: Object.fromEntries(real) },
        },
      ];
}
