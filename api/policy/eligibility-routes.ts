import { eligibilityRoutes } from "../../contract/eligibility.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import { concurrencyOf } from "../concurrency.ts";
import type { ApiDeps } from "../deps.ts";
import { refusalError } from "../errors.ts";
import { of } from "../route.ts";
import { askedAddress } from "./eligibility-address.ts";

const TESTS_AT_ONCE = 4;

/** POST /policy/eligibility/test. */
export function registerEligibilityTest(api: Api, deps: ApiDeps): void {
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
