import { type CommandOf, type Decider, inOrder, judgedBy, typesOf } from "../shared/decider.ts";
import { DomainError } from "../shared/errors.ts";
import type { OwnerId, SquadId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import type { JsonObject } from "../shared/json.ts";
import { utf8Length } from "../shared/utf8.ts";
import type { SquadChanged, SquadEvent } from "./events.ts";
import { evolveSquad, squadFolds } from "./evolve.ts";
import { addHandoff, handoffRules, type NewHandoff } from "./handoff-rules.ts";
import { addMember, memberRules, type NewMember } from "./member-rules.ts";
import { type ExistingSquad, existing, initialSquadState, type SquadState } from "./state.ts";

/**
 * Bytes of a squad as JSON, with its members and handoffs: some 1,300 for each of 200 handoffs. It is made
 * whole in one append (1 MiB), and each call pins much of it in its first event (512 KiB).
 */
export const MAX_SQUAD_BYTES = 256 * 1_024;

const openingRules = { CreateSquad: create };
const rules = { ChangeSquad: change, DeleteSquad: remove, ...memberRules, ...handoffRules };

export type SquadCommand = CommandOf<typeof openingRules> | CommandOf<typeof rules>;

export const squadDecider: Decider<SquadState, SquadCommand, SquadEvent> = {
  initialState: initialSquadState,
  types: typesOf(squadFolds),
  evolve: evolveSquad,
  decide: decideSquad,
};

/**
 * The rules of a squad (docs/api.md §6), judged at a time that is not before its latest event. A deleted
 * squad counts as not existing.
 */
function decideSquad(command: SquadCommand, state: SquadState): readonly SquadEvent[] {
  const inTime = inOrder(command, state);
  const events: readonly SquadEvent[] =
    inTime.type === "CreateSquad"
      ? judgedBy(openingRules, inTime, state)
      : judgedBy(rules, inTime, existing(state));
  refuseTooLarge(events, state);
  return events;
}

/** A squad that was larger before there was this limit may still become smaller. */
function refuseTooLarge(events: readonly SquadEvent[], before: SquadState): void {
  const copy = { ...before, members: new Map(before.members), handoffs: new Map(before.handoffs) };
  const bytes = bytesOf(events.reduce(evolveSquad, copy));
  if (bytes > MAX_SQUAD_BYTES && bytes > bytesOf(before))
    throw new DomainError(
      "squad.limit-reached",
      `A squad has at most ${MAX_SQUAD_BYTES / 1_024} KiB as JSON, with its members and handoffs`,
    );
}

function bytesOf({ name, description, overrideSettings, members, handoffs }: SquadState): number {
  const parts = { name, description, overrideSettings };
  return utf8Length(
    JSON.stringify({ ...parts, members: [...members.values()], handoffs: [...handoffs.values()] }),
  );
}

type NewSquad = {
  readonly squadId: SquadId;
  readonly owner: OwnerId;
  readonly name: string;
  readonly description: string | null;
  readonly overrideSettings: JsonObject;
  readonly members: readonly NewMember[];
  readonly handoffs: readonly NewHandoff[];
  readonly now: Instant;
};

/** The whole squad in one append; each part is judged as if it were added alone, in order. */
function create(
  { squadId, owner, name, description, overrideSettings, members, handoffs, now }: NewSquad,
  state: SquadState,
): readonly SquadEvent[] {
  if (state.squadId !== null) return [];
  const events: SquadEvent[] = [
    { type: "SquadCreated", data: { squadId, at: now, owner, name, description, overrideSettings } },
  ];
  const made = existing(events.reduce(evolveSquad, initialSquadState()));
  const add = (added: readonly SquadEvent[]) => {
    for (const event of added) evolveSquad(made, event);
    events.push(...added);
  };
  for (const member of members) add(addMember({ member, now }, made));
  for (const handoff of handoffs) add(addHandoff({ handoff, now }, made));
  return events;
}

function change(
  { changes, now }: { readonly changes: SquadChanged["data"]["changes"]; readonly now: Instant },
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

function remove({ now }: { readonly now: Instant }, { squadId }: ExistingSquad): readonly SquadEvent[] {
  return [{ type: "SquadDeleted", data: { squadId, at: now } }];
}
