import type { AssistantId, MemberId, SquadId } from "../../domain/shared/ids.ts";
import type { SquadCommand } from "../../domain/squad/decider.ts";
import type { NewMember } from "../../domain/squad/member-rules.ts";
import { squadStream } from "../log/stream-names.ts";
import { type Caller, type Outcome, refused } from "../outcome.ts";
import { isAssistantId } from "../parse-id.ts";
import type { Bind, UseCaseDeps } from "../use-case-deps.ts";
import { changeTheirs, handleSquad, isTheirs, noSuchSquad, type Refused } from "./squad-command.ts";
import type { MemberChanges, MemberInput, RemovedMemberAnswer } from "./squad-requests.ts";

/** The routes of /squads/:id/members. */
export function memberUseCases(bound: Bind<UseCaseDeps>) {
  return {
    addMember: bound(addMember),
    changeMember: bound(changeMember),
    removeMember: bound(removeMember),
  };
}

async function addMember(
  deps: UseCaseDeps,
  caller: Caller,
  squadId: SquadId,
  input: MemberInput & { readonly reservedMemberId: MemberId | null },
): Promise<Outcome<{ readonly memberId: MemberId }>> {
  if (!(await isTheirs(deps, caller, squadId))) return noSuchSquad();
  const memberId = input.reservedMemberId ?? deps.ids.next("mbr");
  const member = await newMember(deps, caller, input, memberId, []);
  if (!member.ok) return member;
  const command: SquadCommand = { type: "AddMember", member: member.value, now: deps.clock.now() };
  return handleSquad(deps, caller, squadId, command, () => ({ memberId }));
}

async function changeMember(
  deps: UseCaseDeps,
  caller: Caller,
  squadId: SquadId,
  memberId: MemberId,
  changes: MemberChanges,
): Promise<Outcome<null>> {
  const wrongVersion = await versionProblem(deps, caller, squadId, memberId, changes);
  if (wrongVersion !== null) return wrongVersion;
  return changeTheirs(deps, caller, squadId, {
    type: "ChangeMember",
    memberId,
    changes,
    now: deps.clock.now(),
  });
}

async function removeMember(
  deps: UseCaseDeps,
  caller: Caller,
  squadId: SquadId,
  memberId: MemberId,
): Promise<Outcome<RemovedMemberAnswer>> {
  if (!(await isTheirs(deps, caller, squadId))) return noSuchSquad();
  const command: SquadCommand = { type: "RemoveMember", memberId, now: deps.clock.now() };
  return handleSquad(deps, caller, squadId, command, (events) => {
    const removed = events.find((event) => event.type === "SquadMemberRemoved")?.data;
    const removedHandoffIds = removed?.removedHandoffIds ?? [];
    return { memberId, removedHandoffIds, newEntryMemberId: removed?.newEntryMemberId ?? null };
  });
}

/** The member to be added: its assistant must exist, and so must the version if one is given. */
export async function newMember(
  deps: UseCaseDeps,
  { owner }: Caller,
  input: MemberInput,
  memberId: MemberId,
  path: readonly (string | number)[],
): Promise<{ readonly ok: true; readonly value: NewMember } | Refused> {
  const { assistantId, assistantVersion, isEntry, position, overrideSettings } = input;
  const known = isAssistantId(assistantId) ? await deps.directory.assistant(owner, assistantId) : null;
  if (known === null || !isAssistantId(assistantId)) {
    const message = "Assistant not found";
    return refused("ASSISTANT_NOT_FOUND", message, [{ path: [...path, "assistantId"], message }]);
  }
  if (!(await versionExists(deps, owner, assistantId, assistantVersion))) return noSuchVersion(path);
  return {
    ok: true,
    value: { memberId, assistantId, assistantVersion, isEntry, position, overrideSettings },
  };
}

async function versionExists(
  deps: UseCaseDeps,
  owner: Caller["owner"],
  assistantId: AssistantId,
  version: number | null,
): Promise<boolean> {
  return version === null || (await deps.directory.assistantVersion(owner, assistantId, version)) !== null;
}

function noSuchVersion(path: readonly (string | number)[]): Refused {
  const message = "The assistant has no such version";
  return refused("VALIDATION_ERROR", message, [{ path: [...path, "assistantVersion"], message }]);
}

async function versionProblem(
  deps: UseCaseDeps,
  { owner }: Caller,
  squadId: SquadId,
  memberId: MemberId,
  { assistantVersion }: MemberChanges,
): Promise<Refused | null> {
  if (assistantVersion === undefined || assistantVersion === null) return null;
  const assistantId = await assistantOf(deps, squadId, memberId);
  if (assistantId === null) return null;
  return (await versionExists(deps, owner, assistantId, assistantVersion)) ? null : noSuchVersion([]);
}

export function assistantOf(
  deps: UseCaseDeps,
  squadId: SquadId,
  memberId: MemberId,
): Promise<AssistantId | null> {
  return deps.aggregates.squads.query(
    squadStream(squadId),
    ({ members }) => members.get(memberId)?.assistantId ?? null,
  );
}
