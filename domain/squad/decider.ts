import type { Decider } from "../shared/decider.ts";
import type { SquadCommand } from "./commands.ts";
import { decideSquad } from "./decide.ts";
import type { SquadEvent } from "./events.ts";
import { evolveSquad } from "./evolve.ts";
import { initialSquadState, type SquadState } from "./state.ts";

export const squadDecider: Decider<SquadState, SquadCommand, SquadEvent> = {
  initialState: initialSquadState,
  evolve: evolveSquad,
  decide: decideSquad,
};
