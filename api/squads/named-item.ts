import type { Refusal } from "../../application/outcome.ts";
import type { IdOf } from "../../domain/shared/ids.ts";
import { ApiError, refusalError, validationError } from "../errors.ts";
import { parseId, unknownId } from "../ids.ts";

/** Where a request names a member or a handoff: path, query or body (docs/api.md §6). */
export type ItemNames = {
  readonly path?: string | undefined;
  readonly query?: string | undefined;
  readonly body?: string | undefined;
};

export const NOT_FOUND = { mbr: "SQUAD_MEMBER_NOT_FOUND", hnd: "HANDOFF_NOT_FOUND" } as const;

/** The given id and its refusal: an unknown item is 404, or 400 if the id is in the body. */
export type NamedItem<Id> = { readonly id: Id; readonly errorOf: (refusal: Refusal) => ApiError };

export function namedItem<Prefix extends "mbr" | "hnd">(
  prefix: Prefix,
  field: string,
  { path, query, body }: ItemNames,
): NamedItem<IdOf[Prefix]> {
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

function asBodyProblem(error: ApiError, prefix: "mbr" | "hnd"): ApiError {
  return new ApiError(NOT_FOUND[prefix], error.message, { status: 400 });
}
