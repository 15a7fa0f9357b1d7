import { DomainError } from "../../domain/shared/errors.ts";
import type { SquadId } from "../../domain/shared/ids.ts";
import type { SquadCommand } from "../../domain/squad/decider.ts";
import type { SquadEvent } from "../../domain/squad/events.ts";
import type { Handled } from "../log/command-queue.ts";
import { squadStream } from "../log/stream-names.ts";
import { type Caller, type Outcome, type Refusal, refused } from "../outcome.ts";
import { refusedByRule } from "../refused-by-rule.ts";
import type { UseCaseDeps } from "../use-case-deps.ts";

export type Refused = { readonly ok: false; readonly refusal: Refusal };

/** A command on a squad of the caller; returns only the position. */
export async function changeTheirs(
  deps: UseCaseDeps,
  caller: Caller,
  squadId: SquadId,
  command: SquadCommand,
): Promise<Outcome<null>> {
  if (!(await isTheirs(deps, caller, squadId))) return noSuchSquad();
  return handleSquad(deps, caller, squadId, command, () => null);
}

/** Decides the command and makes the answer from its events. */
export async function handleSquad<Value>(
  deps: UseCaseDeps,
  caller: Caller,
  squadId: SquadId,
  command: SquadCommand,
  answer: (events: readonly SquadEvent[]) => Value,
): Promise<Outcome<Value>> {
  try {
    const origin = { ...caller, causationId: null };
    const stream = squadStream(squadId);
    const done: Handled<SquadEvent> = await deps.aggregates.squads.handle(stream, [command], origin);
    return { ok: true, value: answer(done.events), position: done.position };
  } catch (error) {
    if (error instanceof DomainError) return refusedByRule(error);
    throw error;
  }
}

export function isTheirs(deps: UseCaseDeps, caller: Caller, squadId: SquadId): Promise<boolean> {
  return deps.aggregates.squads.query(
    squadStream(squadId),
    ({ owner, deleted }) => owner === caller.owner && !deleted,
    { fresh: true },
  );
}

export function noSuchSquad(): Refused {
  return refused("SQUAD_NOT_FOUND", "Squad not found");
}
