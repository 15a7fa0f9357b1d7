import type { Policy } from "../../domain/policy/policy.ts";
import type { VerificationId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { Aggregates } from "../log/aggregates.ts";
import { policyStream } from "../log/stream-names.ts";
import type { Caller } from "../outcome.ts";
import type { Clock } from "../ports/clock.ts";
import type { Verification, VerificationRequest, Verifications } from "../ports/verifications.ts";

export type BeginVerificationDeps = {
  readonly aggregates: Pick<Aggregates, "policies">;
  readonly verifications: Pick<Verifications, "add" | "find">;
  readonly clock: Pick<Clock, "now">;
};

export type AskedVerification = {
  readonly id: VerificationId;
  readonly policy: "in_force" | "current" | Policy;
  readonly from: Instant | null;
  /** null: until now. */
  readonly until: Instant | null;
};

const NO_POLICY: Policy = {
  callableHours: null,
  attemptsPerNumber: null,
  oneCallAtATime: false,
  exceptSingleCalls: false,
};

/** null: two of the owner are under way. `current` is the policy of this moment. */
export async function beginVerification(
  { aggregates, verifications, clock }: BeginVerificationDeps,
  { owner }: Caller,
  { id, policy, from, until }: AskedVerification,
): Promise<Verification | null> {
  const createdAt = clock.now();
  const current =
    policy === "current"
      ? await aggregates.policies.query(policyStream(owner), ({ version, policy: latest }) => ({
          version,
          latest,
        }))
      : null;
  const request: VerificationRequest = {
    asked: typeof policy === "string" ? policy : "given",
    judgedBy: current === null ? (typeof policy === "string" ? null : policy) : (current.latest ?? NO_POLICY),
    version: current?.version ?? null,
    from,
    until: until ?? createdAt,
  };
  if (!(await verifications.add({ id, owner, createdAt, ...request }))) return null;
  return verifications.find(owner, id);
}
