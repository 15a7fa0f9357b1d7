import type { Policy } from "../../domain/policy/policy.ts";
import { DomainError } from "../../domain/shared/errors.ts";
import type { Aggregates } from "../log/aggregates.ts";
import type { Reaction } from "../log/reaction.ts";
import { policyStream } from "../log/stream-names.ts";
import type { Caller, Outcome } from "../outcome.ts";
import type { Clock } from "../ports/clock.ts";
import type { Policies } from "../ports/policies.ts";
import { refusedByRule } from "../refused-by-rule.ts";

export type ChangePolicyDeps = {
  readonly aggregates: Pick<Aggregates, "policies">;
  readonly policies: Pick<Policies, "store">;
  readonly clock: Clock;
};

export type ChangePolicyRequest = {
  /** The whole of it. */
  readonly policy: Policy;
  /** The version that it replaces; null: whichever there is. */
  readonly expectedVersion: number | null;
};

/**
 * PUT /policy: into the log, then in force. The answer comes after both, so that no dial is admitted by the
 * version before from then on. What a crash leaves between the two, and a database that is away, is done by
 * the reaction. `version`: the one that has the request's policy.
 */
export async function changePolicy(
  { aggregates, policies, clock }: ChangePolicyDeps,
  caller: Caller,
  request: ChangePolicyRequest,
): Promise<Outcome<{ readonly version: number }>> {
  const { owner } = caller;
  const stream = policyStream(owner);
  try {
    const command = { type: "ChangePolicy", owner, ...request, now: clock.now() } as const;
    const origin = { ...caller, causationId: null };
    const { events, position } = await aggregates.policies.handle(stream, [command], origin);
    const latest = await aggregates.policies.query(stream, ({ version, policy }) => ({ version, policy }));
    if (latest.policy !== null) await policies.store(owner, latest.version, latest.policy);
    return { ok: true, value: { version: events[0]?.data.version ?? latest.version }, position };
  } catch (error) {
    if (error instanceof DomainError) return refusedByRule(error);
    throw error;
  }
}

/** Brings every version of the log into force, in its order; the same again changes nothing. */
export function policyReaction(policies: Pick<Policies, "store">): Reaction {
  return {
    name: "policies",
    types: ["PolicyChanged"],
    handle: async (events) => {
      for (const { event } of events) {
        if (event.type !== "PolicyChanged") continue;
        const { owner, version, policy } = event.data;
        await policies.store(owner, version, policy);
      }
    },
  };
}
