import type { FastifyRequest } from "fastify";
import { eligibilityRoutes } from "../../contract/eligibility.ts";
import { type PolicyBody, policyRoutes } from "../../contract/policy.ts";
import { windowOf } from "../../domain/campaign/window/window-fields.ts";
import type { Policy } from "../../domain/policy/policy.ts";
import { data, given } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import { concurrencyOf } from "../concurrency.ts";
import type { ApiDeps } from "../deps.ts";
import { refusalError, validationError } from "../errors.ts";
import { parseWhole } from "../pagination.ts";
import { readYourOwnWrite, telling } from "../positions.ts";
import { listed } from "../records.ts";
import { of } from "../route.ts";
import { askedAddress, withAskedAddress } from "../url-problems.ts";

const versions = { list: "policy versions", parse: parseWhole };

const TESTS_AT_ONCE = 4;

/** docs/api.md §22. */
export function registerPolicy(api: Api, deps: ApiDeps): void {
  const { queries } = deps;
  api.route({
    ...of(policyRoutes.getPolicy),
    handler: async (request, reply) => {
      const { at = null } = request.query;
      const found = await queries.policy(callerOf(request).owner, at, telling(reply));
      return data(found ?? { version: 0, policy: null, changedAt: null, changedBy: null });
    },
  });
  api.route({
    ...of(policyRoutes.listPolicyVersions),
    handler: (request) =>
      listed(versions, request.query, (page) => queries.policyVersions(callerOf(request).owner, page)),
  });
  registerChange(api, deps);
  registerEligibilityTest(api, deps);
}

/** POST /policy/eligibility/test. */
function registerEligibilityTest(api: Api, deps: ApiDeps): void {
  const enter = concurrencyOf(TESTS_AT_ONCE, "tests of the address that is asked, of this owner");
  api.route({
    ...of(eligibilityRoutes.testEligibility),
    handler: async (request) => {
      const caller = callerOf(request);
      const leave = enter(caller.owner);
      try {
        const given = request.body?.url;
        const url = given === undefined ? null : await askedAddress(deps, given, ["url"]);
        const tested = await deps.useCases.testEligibility(caller, { url });
        if (!tested.ok) throw refusalError(tested.refusal);
        return data(tested.value);
      } finally {
        leave();
      }
    },
  });
}

function registerChange(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(policyRoutes.putPolicy),
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const body = await withAskedAddress(deps, request.body);
      const changed = await deps.useCases.changePolicy(caller, {
        policy: policyOf(body),
        expectedVersion: expectedVersion(request),
      });
      if (!changed.ok) throw refusalError(changed.refusal);
      await readYourOwnWrite(deps, reply, changed.position);
      const { version } = changed.value;
      const { rows } = await deps.queries.policyVersions(caller.owner, { limit: 1, after: version + 1 });
      const [record] = rows;
      if (record === undefined) throw new Error(`version ${version} of the policy is not in the log`);
      return data(record);
    },
  });
}

/** What is off is absent where policies of before have nothing: the same again is the same. */
export function policyOf(body: PolicyBody): Policy {
  const { callableHours, attemptsPerNumber, requireConsent, listMaxAgeDays, eligibility, ...switches } = body;
  return {
    callableHours: callableHours ? hoursOf(callableHours) : null,
    attemptsPerNumber: attemptsPerNumber ? given(attemptsPerNumber) : null,
    ...switches,
    ...(requireConsent ? { requireConsent } : {}),
    ...(listMaxAgeDays === null ? {} : { listMaxAgeDays }),
    ...(eligibility === null ? {} : { eligibility }),
  };
}

/** Days and dates in order, without minutes that are 0. */
function hoursOf({
  start,
  startMinute,
  end,
  endMinute,
  days,
  excludedDates,
}: Hours): Policy["callableHours"] {
  return windowOf({
    callWindowStart: start,
    callWindowStartMinute: startMinute,
    callWindowEnd: end,
    callWindowEndMinute: endMinute,
    callWindowDays: days,
    callWindowExcludedDates: excludedDates,
  });
}

type Hours = NonNullable<PolicyBody["callableHours"]>;

/** If-Match: the version, with or without the quotation marks of HTTP; null: not given. */
function expectedVersion({ headers }: FastifyRequest): number | null {
  const text = headers["if-match"];
  if (text === undefined) return null;
  const version = parseWhole(text.replace(/^"(\d+)"$/, "$1"));
  if (version !== null) return version;
  throw validationError("The request", [
    { path: ["If-Match"], message: "Must be the version that this policy replaces, a whole number" },
  ]);
}
