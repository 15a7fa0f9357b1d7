import type { Eligibility, EligibilityQuestion } from "../../application/ports/eligibility.ts";
import type { EligibilityAnswer } from "../../domain/policy/eligibility-answer.ts";
import type { EligibilityCheck } from "../../domain/policy/policy.ts";

/** Whoever is asked in a simulation. */
export type AnswerOf = (
  question: EligibilityQuestion,
  check: EligibilityCheck,
) => EligibilityAnswer | Promise<EligibilityAnswer>;

/** The in-memory form of the addresses that are asked: a function answers for all of them, in no time. */
export function memoryEligibility(answerOf: AnswerOf): Pick<Eligibility, "ask"> {
  return {
    ask: async (_owner, check, question) => ({
      answer: await answerOf(question, check),
      millis: 0,
      status: null,
      text: null,
    }),
  };
}
