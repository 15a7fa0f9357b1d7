import type { OwnerId } from "../domain/shared/ids.ts";
import { countsPerKey } from "./counts-per-key.ts";
import { ApiError } from "./errors.ts";

/** So many at once for each owner; one more is refused. What is answered is called when it is over; again: the same. */
export function concurrencyOf(most: number, what: string): (owner: OwnerId) => () => void {
  const enter = countsPerKey<OwnerId>(most);
  return (owner) => {
    const leave = enter(owner);
    if (leave === null) throw new ApiError("CONCURRENCY_LIMIT_REACHED", `${most} ${what} are open already`);
    return leave;
  };
}
