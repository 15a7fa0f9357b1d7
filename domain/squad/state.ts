import type { HandoffId, MemberId, OwnerId, SquadId } from "../shared/ids.ts";
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
  readonly members: Map<MemberId, SquadMember>;
  readonly handoffs: Map<HandoffId, HandoffLink>;
};

export function initialSquadState(): SquadState {
  return {
    squadId: null,
    owner: null,
    deleted: false,
    name: "",
    description: null,
    overrideSettings: {},
    members: new Map(),
    handoffs: new Map(),
  };
}
