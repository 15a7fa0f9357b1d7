import type { Decider } from "../shared/decider.ts";
import type { CallCommand } from "./commands.ts";
import { decideCall } from "./decide.ts";
import type { CallEvent } from "./events.ts";
import { evolveCall } from "./evolve.ts";
import { type CallState, initialCallState } from "./state.ts";

export const callDecider: Decider<CallState, CallCommand, CallEvent> = {
  initialState: initialCallState,
  evolve: evolveCall,
  decide: decideCall,
};
