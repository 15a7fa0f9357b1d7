import type { RefusedByPolicy } from "../../domain/admission/grants.ts";
import type { PolicyRefusal } from "../../domain/policy/policy.ts";
import { assertNever } from "../../domain/shared/errors.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { refused } from "../outcome.ts";

/** POLICY_REFUSED, with a detail for every rule that refuses. */
export function policyRefused({ policyVersion, refusals }: RefusedByPolicy) {
  const details = refusals.map((each) => ({ path: [each.rule], message: inWords(each), until: each.until }));
  const all = details.map(({ message }) => message).join(". ");
  return refused("POLICY_REFUSED", `The policy (version ${policyVersion}) does not allow it. ${all}`, details);
}

function inWords({ rule, value, limit, until, heldBy }: PolicyRefusal): string {
  switch (rule) {
    case "oneCallAtATime":
      return `The number is in a call${heldBy === null ? "" : `: ${heldBy}`}`;
    case "attemptsPerNumber":
      return `At most ${String(limit).replace("/", " dials a ")}: ${value} so far${from(until)}`;
    case "callableHours":
      return `People are called ${limit}, and it is ${value} where this one may be${from(until)}`;
    case "zone_unknown":
      return "In which time zone the person lives is not known: give its timezone";
    default:
      return assertNever(rule);
  }
}

function from(until: Instant | null): string {
  return until === null ? "" : `; allowed from ${until.replace(/(:00)?\.000Z$/, "Z")} on`;
}
