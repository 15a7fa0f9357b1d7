import type { HandoffId, SquadId } from "../../domain/shared/ids.ts";
import type { SquadCommand } from "../../domain/squad/decider.ts";
import type { Caller, Outcome } from "../outcome.ts";
import { isAssistantId, isMemberId } from "../parse-id.ts";
import type { Bind, UseCaseDeps } from "../use-case-deps.ts";
import { changeTheirs, handleSquad, isTheirs, noSuchSquad } from "./squad-command.ts";
import { assistantOf } from "./squad-members.ts";
import type { HandoffChanges, HandoffInput } from "./squad-requests.ts";

/** The routes of /squads/:id/handoffs. */
export function handoffUseCases(bound: Bind<UseCaseDeps>) {
  return {
    addHandoff: bound(addHandoff),
    changeHandoff: bound(changeHandoff),
    removeHandoff: bound(removeHandoff),
  };
}

async function addHandoff(
  deps: UseCaseDeps,
  caller: Caller,
  squadId: SquadId,
  input: HandoffInput & { readonly reservedHandoffId: HandoffId | null },
): Promise<Outcome<{ readonly handoffId: HandoffId }>> {
  if (!(await isTheirs(deps, caller, squadId))) return noSuchSquad();
  const { reservedHandoffId, ...handoff } = input;
  const handoffId = reservedHandoffId ?? deps.ids.next("hnd");
  const toolName = handoff.toolName ?? (await toolNameFor(deps, caller, squadId, handoff.to));
  const command: SquadCommand = {
    type: "AddHandoff",
    handoff: { ...handoff, toolName, handoffId },
    now: deps.clock.now(),
  };
  return handleSquad(deps, caller, squadId, command, () => ({ handoffId }));
}

async function changeHandoff(
  deps: UseCaseDeps,
  caller: Caller,
  squadId: SquadId,
  handoffId: HandoffId,
  changes: HandoffChanges,
): Promise<Outcome<null>> {
  return changeTheirs(deps, caller, squadId, {
    type: "ChangeHandoff",
    handoffId,
    changes,
    now: deps.clock.now(),
  });
}

async function removeHandoff(
  deps: UseCaseDeps,
  caller: Caller,
  squadId: SquadId,
  handoffId: HandoffId,
): Promise<Outcome<null>> {
  return changeTheirs(deps, caller, squadId, { type: "RemoveHandoff", handoffId, now: deps.clock.now() });
}

/** handoff_to_<slug of the name of the target assistant>. */
export async function toolNameFor(
  deps: UseCaseDeps,
  { owner }: Caller,
  squadId: SquadId,
  to: string,
): Promise<string> {
  const assistantId = isMemberId(to) ? await assistantOf(deps, squadId, to) : isAssistantId(to) ? to : null;
  const assistant = assistantId === null ? null : await deps.directory.assistant(owner, assistantId);
  const version = assistant?.publishedVersion ?? null;
  const published =
    assistantId === null || version === null
      ? null
      : await deps.directory.assistantVersion(owner, assistantId, version);
  const slug = (published?.name ?? to)
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "");
  return `handoff_to_${slug === "" ? "assistant" : slug.slice(0, 50)}`;
}
