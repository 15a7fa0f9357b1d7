import type { Eligibility, EligibilityQuestion } from "../../application/ports/eligibility.ts";
import type { Policies } from "../../application/ports/policies.ts";
import type { EligibilityAnswer } from "../../domain/policy/eligibility-answer.ts";
import type { EligibilityCheck, PolicyInForce } from "../../domain/policy/policy.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import { createListeners } from "./listeners.ts";

export type MemoryPolicies = Policies & {
  /** The same as `inForce`, at once: what the admission reads. */
  readonly now: (owner: OwnerId) => PolicyInForce | null;
};

/** The in-memory form of the policies in force; both pass test/contracts/policies. */
export function createMemoryPolicies(): MemoryPolicies {
  const stored = new Map<OwnerId, PolicyInForce>();
  const changes = createListeners<OwnerId>();
  const now = (owner: OwnerId) => stored.get(owner) ?? null;
  return {
    now,
    inForce: async (owner) => now(owner),
    store: async (owner, version, policy) => {
      if (version <= (now(owner)?.version ?? 0)) return;
      stored.set(owner, { version, policy });
      changes.tell(owner);
    },
    replaceAll: async (policies) => {
      stored.clear();
      for (const [owner, policy] of policies) stored.set(owner, policy);
    },
    onChange: changes.add,
  };
}

/** Whoever is asked in a simulation. */
export type AnswerOf = (
  question: EligibilityQuestion,
  check: EligibilityCheck,
) => EligibilityAnswer | Promise<EligibilityAnswer>;

/** The in-memory form of the addresses that are asked: a function answers for all of them, in no time. */
export function memoryEligibility(answerOf: AnswerOf): Pick<Eligibility, "ask"> {
  return {
    ask: async (_owner, check, question) => ({
      sent: JSON.stringify(question),
      answer: await answerOf(question, check),
      millis: 0,
      status: null,
      text: null,
    }),
  };
}
