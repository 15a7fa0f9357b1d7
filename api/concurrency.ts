import type { OwnerId } from "../domain/shared/ids.ts";
import { countsPerKey } from "./counts-per-key.ts";
import { ApiError } from "./errors.ts";

/**
 * The limit of concurrent requests for each owner; one more is refused. Call the returned function at the
 * end; a repeat does nothing.
 */
export function concurrencyOf(most: number, what: string): (owner: OwnerId) => () => void {
  const enter = countsPerKey<OwnerId>(most);
  return (owner) => {
    const leave = enter(owner);
    if (leave === null) throw new ApiError("CONCURRENCY_LIMIT_REACHED", `${most} ${what} are open already`);
    return leave;
  };
}
