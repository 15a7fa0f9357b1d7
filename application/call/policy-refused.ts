import type { RefusedByPolicy } from "../../domain/admission/grants.ts";
import type { PolicyRefusal } from "../../domain/policy/policy.ts";
import { assertNever } from "../../domain/shared/errors.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { refused } from "../outcome.ts";

/** POLICY_REFUSED, with a detail for every rule that refuses. */
export function policyRefused({ policyVersion, refusals }: RefusedByPolicy) {
  return refused(
    "POLICY_REFUSED",
    `The policy (version ${policyVersion}) does not allow it; see details`,
    refusals.map((each) => ({ path: [each.rule], message: inWords(each), until: each.until })),
  );
}

function inWords({ rule, value, limit, until, heldBy }: PolicyRefusal): string {
  switch (rule) {
    case "oneCallAtATime":
      return `The number is in a call${heldBy === null ? "" : `: ${heldBy}`}`;
    case "attemptsPerNumber":
      return `At most ${dials(String(limit))}: ${value} so far${from(until)}`;
    case "callableHours":
      return `People are called ${limit}, and it is ${value} where this one may be${from(until)}`;
    case "zone_unknown":
      return "In which time zone the person lives is not known: give its timezone";
    default:
      return assertNever(rule);
  }
}

/** `2/day` in words. */
function dials(limit: string): string {
  return limit.replace("/", limit.startsWith("1/") ? " dial a " : " dials a ");
}

function from(until: Instant | null): string {
  return until === null ? "" : `; allowed from ${until.replace(/(:00)?\.000Z$/, "Z")} on`;
}
