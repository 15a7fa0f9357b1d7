import type { Policy, PolicyInForce } from "../../domain/policy/policy.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";

/** The policy of each owner that is in force, as the admission reads it (`work.policies`). */
export interface Policies {
  /** From a cache, as a rule less than a second old; null: the owner never had one. */
  inForce(owner: OwnerId): Promise<PolicyInForce | null>;
  /** Under the owner's row lock, which admission takes too. Only a higher version changes something. */
  store(owner: OwnerId, version: number, policy: Policy): Promise<void>;
  /**
   * After an accepted restore, before anybody is dialled: these are in force and no others, also where a
   * later version was.
   */
  replaceAll(policies: ReadonlyMap<OwnerId, PolicyInForce>): Promise<void>;
  /** Called soon after a commit that changed the owner's policy, also of another process. */
  onChange(listener: (owner: OwnerId) => void): () => void;
}
