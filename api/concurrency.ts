import type { OwnerId } from "../domain/shared/ids.ts";
import { ApiError } from "./errors.ts";

/** So many at once for each owner; one more is refused. What is answered is called when it is over; again: the same. */
export function concurrencyOf(most: number, what: string): (owner: OwnerId) => () => void {
  const open = new Map<OwnerId, number>();
  return (owner) => {
    const count = open.get(owner) ?? 0;
    if (count >= most) throw new ApiError("CONCURRENCY_LIMIT_REACHED", `${most} ${what} are open already`);
    open.set(owner, count + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const left = (open.get(owner) ?? 1) - 1;
      if (left === 0) open.delete(owner);
      else open.set(owner, left);
    };
  };
}
