import type { OwnerId } from "../domain/shared/ids.ts";
import type { Clock } from "./ports/clock.ts";
import type { Directory } from "./ports/directory.ts";

export type ModelTokensDeps = {
  readonly directory: Pick<Directory, "owner">;
  readonly clock: Pick<Clock, "now">;
  /**
   * Tokens used by the owner's calls that were created on this UTC day (`2026-09-01`), and by analyses
   * and rehearsals on it, as far as counted. Absent: nobody counts.
   */
  readonly tokensOfDay?: (owner: OwnerId, day: string) => Promise<number>;
};

/**
 * Whether the owner's models have used the tokens of this UTC day. Calls in progress may exceed the limit.
 */
export async function modelTokensUsedUp(deps: ModelTokensDeps, owner: OwnerId): Promise<boolean> {
  const { directory, clock, tokensOfDay } = deps;
  const most = (await directory.owner(owner))?.plan.maxModelTokensPerDay ?? null;
  if (most === null || tokensOfDay === undefined) return false;
  return (await tokensOfDay(owner, clock.now().slice(0, 10))) >= most;
}
