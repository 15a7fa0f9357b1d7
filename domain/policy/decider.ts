import { canonicalJson } from "../shared/canonical-json.ts";
import {
  type CommandOf,
  type Decider,
  type Folds,
  foldedBy,
  inOrder,
  judgedBy,
  typesOf,
} from "../shared/decider.ts";
import { DomainError } from "../shared/errors.ts";
import type { OwnerId } from "../shared/ids.ts";
import { type Instant, notBefore } from "../shared/instant.ts";
import type { PolicyEvent } from "./events.ts";
import type { Policy } from "./policy.ts";

/** `version` 0: the owner never had one. */
export type PolicyState = {
  version: number;
  policy: Policy | null;
  /** The latest time of an event so far. */
  lastAt: Instant | null;
};

const folds: Folds<PolicyState, PolicyEvent> = {
  PolicyChanged: (state, { version, policy }) => Object.assign(state, { version, policy }),
};

const rules = { ChangePolicy: change };

export type PolicyCommand = CommandOf<typeof rules>;

/** The policy of an owner, judged at a time that is not before its latest event. */
export const policyDecider: Decider<PolicyState, PolicyCommand, PolicyEvent> = {
  initialState: () => ({ version: 0, policy: null, lastAt: null }),
  types: typesOf(folds),
  evolve: (state, event) => {
    state.lastAt = notBefore(state.lastAt, event.data.at);
    return foldedBy(folds, state, event);
  },
  decide: (command, state) => judgedBy(rules, inOrder(command, state), state),
};

type Change = {
  readonly owner: OwnerId;
  /** The whole of it. */
  readonly policy: Policy;
  /** The version that this one replaces; null: whichever there is. */
  readonly expectedVersion: number | null;
  readonly now: Instant;
};

/** The same again changes nothing, also as a repeat whose first answer was lost (RFC 9110 §13.1.1). */
function change({ owner, policy, expectedVersion, now }: Change, state: PolicyState): readonly PolicyEvent[] {
  if (state.policy !== null && canonicalJson(state.policy) === canonicalJson(policy)) return [];
  if (expectedVersion !== null && expectedVersion !== state.version)
    throw new DomainError("policy.changed", `The policy has version ${state.version} now`, {
      version: state.version,
    });
  return [{ type: "PolicyChanged", data: { owner, version: state.version + 1, policy, at: now } }];
}
