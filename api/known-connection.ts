import type { ConnectionKind } from "../contract/connection-settings.ts";
import type { ConnectionId, OwnerId } from "../domain/shared/ids.ts";
import type { ApiDeps } from "./deps.ts";
import { ApiError, validationError } from "./errors.ts";
import { parseId } from "./ids.ts";

type Wanted = { readonly kinds: readonly ConnectionKind[]; readonly path: readonly string[] };

/**
 * A connection named in a body, which must be of one of these kinds. Absent and null are returned unchanged.
 */
export async function knownConnection<Absent extends null | undefined>(
  { connectionKind }: Pick<ApiDeps, "connectionKind">,
  owner: OwnerId,
  given: string | Absent,
  { kinds, path }: Wanted,
): Promise<ConnectionId | Absent> {
  if (typeof given !== "string") return given;
  const id = parseId("conn", given);
  const found = id === null ? null : await connectionKind(owner, id);
  if (id === null || found === null) {
    throw new ApiError("CONNECTION_NOT_FOUND", `Connection not found: ${given}`, { status: 400 });
  }
  if (kinds.includes(found)) return id;
  throw validationError("The request body", [
    { path, message: `Must be a connection of kind ${kinds.join(" or ")}; this one is of kind ${found}` },
  ]);
}
