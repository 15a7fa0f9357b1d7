import type { TestedOutcome } from "../../application/call/analysis/test-outcome.ts";
import { type OutcomeTestRecord, outcomeTestRoutes } from "../../contract/outcome-test.ts";
import { allows } from "../../contract/scopes.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import { concurrencyOf } from "../concurrency.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError, refusalError } from "../errors.ts";
import { found, parseId, pathId } from "../ids.ts";
import { of } from "../route.ts";

const MOST_AT_ONCE = 4;

/** docs/outcomes.md, "Trying it on a past call". */
export function registerOutcomeTest(api: Api, { configuration, useCases }: ApiDeps): void {
  const enter = concurrencyOf(MOST_AT_ONCE, "tests of outcomes of this owner");
  api.route({
    ...of(outcomeTestRoutes.testOutcome),
    handler: async (request) => {
      const caller = callerOf(request);
      const id = pathId("ast", request.params.id);
      const draft = found("ast", await configuration.assistants.get(caller.owner, id));
      if (!allows(caller.scopes, "calls:read"))
        throw new ApiError("FORBIDDEN", "The API key lacks the scope calls:read");
      const callId = parseId("call", request.body.callId);
      if (callId === null) throw new ApiError("CALL_NOT_FOUND", "Call not found", { status: 400 });
      const leave = enter(caller.owner);
      try {
        const { model, modelConnectionId, language } = draft;
        const outcome = request.body.outcome ?? draft.outcome;
        const of = { model, modelConnectionId, language };
        const tested = await useCases.testOutcome(caller, { callId, outcome, of });
        if (tested.ok) return data(recordOf(tested.value));
        throw refusalError(tested.refusal);
      } finally {
        leave();
      }
    },
  });
}

function recordOf({ request, answer, failure }: TestedOutcome): OutcomeTestRecord {
  if (answer === null) return { failure, outcome: null, request, tokens: failure.used };
  const { enums: _notShown, ...outcome } = answer;
  return { failure: null, outcome, request, tokens: answer.model };
}
