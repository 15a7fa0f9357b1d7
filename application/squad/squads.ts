import type { SquadId } from "../../domain/shared/ids.ts";
import type { NewHandoff } from "../../domain/squad/handoff-rules.ts";
import type { NewMember } from "../../domain/squad/member-rules.ts";
import type { Caller, Outcome } from "../outcome.ts";
import type { Bind, UseCaseDeps } from "../use-case-deps.ts";
import { changeTheirs, handleSquad } from "./squad-command.ts";
import { toolNameFor } from "./squad-handoffs.ts";
import { newMember } from "./squad-members.ts";
import type { CreateSquadRequest, SquadChanges } from "./squad-requests.ts";

/** POST /squads, PATCH and DELETE /squads/:id. */
export function squadUseCases(bound: Bind<UseCaseDeps>) {
  return {
    createSquad: bound(createSquad),
    changeSquad: bound(changeSquad),
    deleteSquad: bound(deleteSquad),
  };
}

async function createSquad(
  deps: UseCaseDeps,
  caller: Caller,
  request: CreateSquadRequest,
): Promise<Outcome<{ readonly squadId: SquadId }>> {
  const squadId = request.reservedSquadId ?? deps.ids.next("sqd");
  const members: NewMember[] = [];
  for (const [index, input] of request.members.entries()) {
    const member = await newMember(deps, caller, input, deps.ids.next("mbr"), ["members", index]);
    if (!member.ok) return member;
    members.push(member.value);
  }
  const handoffs: NewHandoff[] = [];
  for (const handoff of request.handoffs) {
    const toolName = handoff.toolName ?? (await toolNameFor(deps, caller, squadId, handoff.to));
    handoffs.push({ ...handoff, toolName, handoffId: deps.ids.next("hnd") });
  }
  const { name, description, overrideSettings } = request;
  const now = deps.clock.now();
  const whole = { squadId, owner: caller.owner, name, description, overrideSettings, members, handoffs, now };
  return handleSquad(deps, caller, squadId, { type: "CreateSquad", ...whole }, () => ({ squadId }));
}

async function changeSquad(
  deps: UseCaseDeps,
  caller: Caller,
  squadId: SquadId,
  changes: SquadChanges,
): Promise<Outcome<null>> {
  return changeTheirs(deps, caller, squadId, { type: "ChangeSquad", changes, now: deps.clock.now() });
}

async function deleteSquad(deps: UseCaseDeps, caller: Caller, squadId: SquadId): Promise<Outcome<null>> {
  return changeTheirs(deps, caller, squadId, { type: "DeleteSquad", now: deps.clock.now() });
}
