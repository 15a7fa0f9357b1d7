import type { IdOf } from "../../application/ports/ids.ts";
import { ApiError, validationError } from "../errors.ts";
import { parseId, unknownId } from "../ids.ts";

/** Where a request names a member or a handoff: path, query or body (docs/api.md §6). */
export type ItemNames = {
  readonly path?: string | undefined;
  readonly query?: string | undefined;
  readonly body?: string | undefined;
};

/** An id as it was given, and what to answer when there is no such item: 404, or 400 when it stands in the body. */
export type NamedItem<Id> = { readonly id: Id; readonly unknown: () => ApiError };

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
  return { id, unknown };
}

function asBodyProblem(error: ApiError, prefix: "mbr" | "hnd"): ApiError {
  const code = prefix === "mbr" ? "SQUAD_MEMBER_NOT_FOUND" : "HANDOFF_NOT_FOUND";
  return new ApiError(code, error.message, { status: 400 });
}
