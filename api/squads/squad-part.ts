import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller, Outcome, Refusal } from "../../application/outcome.ts";
import type { IdOf, SquadId } from "../../domain/shared/ids.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError, refusalError, validationError } from "../errors.ts";
import { parseId, pathId, unknownId } from "../ids.ts";
import { readYourOwnWrite } from "../positions.ts";

const NOT_FOUND = { mbr: "SQUAD_MEMBER_NOT_FOUND", hnd: "HANDOFF_NOT_FOUND" } as const;
type Prefix = keyof typeof NOT_FOUND;

/** Where a request names a member or a handoff: path, query or body (docs/api.md §6). */
type Names = {
  readonly path?: string | undefined;
  readonly query?: string | undefined;
  readonly body?: string | undefined;
};

/** A request about a member or a handoff: whose squad, and how it names it. */
export type AboutPart = { readonly caller: Caller; readonly squad: string; readonly names: Names };

export function aboutPart(
  request: FastifyRequest & { readonly params: { readonly id: string } },
  names: Names,
): AboutPart {
  return { caller: callerOf(request), squad: request.params.id, names };
}

/**
 * What the routes of members and of handoffs share: each is changed and removed by its path, or named by
 * query or body. Carries `act` out on the part that is named, and waits until it can be read.
 */
export async function writePart<Part extends Prefix, Value>(
  deps: ApiDeps,
  reply: FastifyReply,
  { squad, names }: AboutPart,
  part: { readonly prefix: Part; readonly field: string },
  act: (squadId: SquadId, id: IdOf[Part]) => Promise<Outcome<Value>>,
) {
  const squadId = pathId("sqd", squad);
  const { id, errorOf } = namedPart(part.prefix, part.field, names);
  const outcome = await act(squadId, id);
  if (!outcome.ok) throw errorOf(outcome.refusal);
  await readYourOwnWrite(deps, reply, outcome.position);
  return { squadId, id, value: outcome.value };
}

/** The given id and its refusal: an unknown part is 404, or 400 if the id is in the body. */
function namedPart<Part extends Prefix>(prefix: Part, field: string, { path, query, body }: Names) {
  const text = path ?? query ?? body;
  if (text === undefined) throw validationError("The request body", [{ path: [field], message: "Required" }]);
  const inBody = path === undefined && query === undefined;
  const unknown = () => (inBody ? asBodyProblem(unknownId(prefix), prefix) : unknownId(prefix));
  const id = parseId(prefix, text);
  if (id === null) throw unknown();
  const errorOf = (refusal: Refusal) =>
    refusal.code === NOT_FOUND[prefix] ? unknown() : refusalError(refusal);
  return { id, errorOf };
}

function asBodyProblem(error: ApiError, prefix: Prefix): ApiError {
  return new ApiError(NOT_FOUND[prefix], error.message, { status: 400 });
}
