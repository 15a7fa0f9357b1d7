import type { EligibilityTestRecord } from "../../contract/eligibility.ts";
import type { EligibilityAnswer } from "../../domain/policy/eligibility-answer.ts";
import type { EligibilityCheck } from "../../domain/policy/policy.ts";
import { assertNever } from "../../domain/shared/errors.ts";
import { type Caller, type Refusal, refused } from "../outcome.ts";
import type { Clock } from "../ports/clock.ts";
import type { Eligibility, EligibilityQuestion } from "../ports/eligibility.ts";
import type { Ids } from "../ports/ids.ts";
import type { Policies } from "../ports/policies.ts";

export type TestEligibilityDeps = {
  readonly eligibility: Pick<Eligibility, "ask">;
  readonly policies: Pick<Policies, "inForce">;
  readonly clock: Clock;
  readonly ids: Ids;
};

type Tested =
  | { readonly ok: true; readonly value: EligibilityTestRecord }
  | { readonly ok: false; readonly refusal: Refusal };

const LONGEST_MILLIS = 5_000;

/**
 * POST /policy/eligibility/test: asks about a person who does not exist. `url` null: the policy's address.
 * What it answers changes nothing, also not whether the address counts as silent.
 */
export async function testEligibility(
  { eligibility, policies, clock, ids }: TestEligibilityDeps,
  { owner }: Caller,
  { url }: { readonly url: string | null },
): Promise<Tested> {
  const asked = (await policies.inForce(owner))?.policy.eligibility;
  const check: EligibilityCheck | undefined =
    url === null ? asked : { url, timeoutMs: asked?.timeoutMs ?? LONGEST_MILLIS };
  if (check === undefined) return noAddress();
  const question: EligibilityQuestion = {
    eventId: ids.uuid(),
    occurredAt: clock.now(),
    phoneNumber: "+15005550006",
    name: "Test",
    customData: {},
    externalId: null,
    campaignId: ids.next("cmp"),
    contactId: ids.next("ctc"),
    attempt: 1,
    metadata: { test: true },
  };
  const { answer, millis, status, text, sent } = await eligibility.ask(owner, check, question);
  const told = { status, millis: Math.round(millis), text, question: sent };
  return { ok: true, value: { ...told, ...meaningOf(answer) } };
}

function noAddress(): Tested {
  const message = "The policy names no address: give one";
  return refused("VALIDATION_ERROR", "The request body has 1 problem; see details", [
    { path: ["url"], message },
  ]);
}

type Meaning = Pick<EligibilityTestRecord, "answer" | "reason" | "until" | "why" | "follows">;

function meaningOf(answer: EligibilityAnswer): Meaning {
  const nothing = { reason: null, until: null, why: null };
  switch (answer.kind) {
    case "allowed":
      return { answer: "allowed", ...nothing, follows: "dialled" };
    case "refused": {
      const { reason, until } = answer;
      return { answer: "refused", reason, until, why: null, follows: until === null ? "skipped" : "held" };
    }
    case "unavailable":
      return { answer: "unavailable", ...nothing, why: answer.why, follows: "asked_again" };
    default:
      return assertNever(answer);
  }
}
