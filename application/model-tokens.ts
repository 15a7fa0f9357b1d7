import type { OwnerId } from "../domain/shared/ids.ts";
import type { Clock } from "./ports/clock.ts";
import type { Directory } from "./ports/directory.ts";

export type ModelTokensDeps = {
  readonly directory: Pick<Directory, "owner">;
  readonly clock: Pick<Clock, "now">;
  /** Tokens that the calls of an owner have used that were created on this UTC day (`2026-09-01`), as far as they are counted. Absent: nobody counts. */
  readonly tokensOfDay?: (owner: OwnerId, day: string) => Promise<number>;
};

/** Whether the owner's models have used what its plan allows for this UTC day. Calls under way may have brought it above. */
export async function modelTokensUsedUp(deps: ModelTokensDeps, owner: OwnerId): Promise<boolean> {
  const { directory, clock, tokensOfDay } = deps;
  const most = (await directory.owner(owner))?.plan.maxModelTokensPerDay ?? null;
  if (most === null || tokensOfDay === undefined) return false;
  return (await tokensOfDay(owner, clock.now().slice(0, 10))) >= most;
}
