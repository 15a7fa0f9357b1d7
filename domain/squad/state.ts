import { DomainError } from "../shared/errors.ts";
import type { HandoffId, MemberId, OwnerId, SquadId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import type { JsonObject } from "../shared/json.ts";
import type { HandoffLink, SquadMember } from "./events.ts";

/** `squadId` null: the squad does not exist. */
export type SquadState = {
  squadId: SquadId | null;
  owner: OwnerId | null;
  deleted: boolean;
  name: string;
  description: string | null;
  overrideSettings: JsonObject;
  /** The latest time of an event so far. */
  lastAt: Instant | null;
  readonly members: Map<MemberId, SquadMember>;
  readonly handoffs: Map<HandoffId, HandoffLink>;
};

/** A squad that was created and not deleted; all other rules need that. */
export type ExistingSquad = SquadState & { readonly squadId: SquadId };

function isExisting(state: SquadState): state is ExistingSquad {
  return state.squadId !== null && !state.deleted;
}

export function existing(state: SquadState): ExistingSquad {
  if (!isExisting(state)) throw new DomainError("squad.not-found", "There is no such squad");
  return state;
}

export function initialSquadState(): SquadState {
  return {
    squadId: null,
    owner: null,
    deleted: false,
    name: "",
    description: null,
    overrideSettings: {},
    lastAt: null,
    members: new Map(),
    handoffs: new Map(),
  };
}
