import { answer } from "../../contract/fields.ts";
import { data, pathParams } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { validationError } from "../errors.ts";
import { found, pathId } from "../ids.ts";
import { telling } from "../positions.ts";
import { progress } from "./record-schemas.ts";

/** Nobody runs the campaign, or its process has not reported for 5 s. */
const UNKNOWN = { asOf: null, dueNow: null, waitingFor: null, estimatedEndAt: null };

export function registerProgress(api: Api, deps: ApiDeps): void {
  api.get(
    "/api/v1/campaigns/:id/progress",
    {
      schema: {
        operationId: "getCampaignProgress",
        summary: "What a campaign waits for now, and when it may be done",
        tags: ["campaigns"],
        params: pathParams("id"),
        description:
          "Of now alone: a query with `at` is refused, because what a campaign waits for is no event.",
        response: { 200: answer(progress) },
      },
      config: { scope: "campaigns:read", errors: ["CAMPAIGN_NOT_FOUND", "VALIDATION_ERROR"] },
    },
    async (request, reply) => {
      const { owner } = callerOf(request);
      const id = pathId("cmp", request.params.id);
      if (new URL(request.url, "http://service").searchParams.has("at")) {
        throw validationError("The query", [
          { path: ["at"], message: "Not allowed: progress is only about now" },
        ]);
      }
      found("cmp", await deps.queries.campaign(owner, id, telling(reply)));
      return data((await deps.progress.find(owner, id)) ?? UNKNOWN);
    },
  );
}
