import { answer } from "../../contract/fields.ts";
import { CALL_REFUSALS, callStarted } from "../../contract/outbound-call.ts";
import { data, pathParams } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { refusalError } from "../errors.ts";
import { once } from "../idempotency.ts";
import { parseId, pathId } from "../ids.ts";
import { readYourOwnWrite } from "../positions.ts";
import { testCallBody } from "./schemas.ts";

const DESCRIPTION =
  "A single call with the campaign's own assistant, number and texts, filled for the contact that is named, or for the first one. It is billed " +
  "as a single call; it is no attempt of the campaign and not in its counts. It is refused as the outbound start is, in the usual shape of errors.";

export function registerTestCall(api: Api, deps: ApiDeps): void {
  api.post(
    "/api/v1/campaigns/:id/test-call",
    {
      schema: {
        operationId: "testCampaignCall",
        summary: "Calls somebody to hear what the campaign says",
        description: DESCRIPTION,
        tags: ["campaigns"],
        params: pathParams("id"),
        body: testCallBody,
        response: { 200: answer(callStarted) },
      },
      config: {
        scope: "campaigns:write",
        idempotent: true,
        errors: [
          "CAMPAIGN_NOT_FOUND",
          "CONTACT_NOT_FOUND@400",
          "ASSISTANT_NOT_FOUND@400",
          "ASSISTANT_NOT_PUBLISHED",
          "PHONE_NUMBER_NOT_FOUND@400",
          ...CALL_REFUSALS,
        ],
      },
    },
    (request, reply) =>
      once(deps, request, reply, {
        ids: { callId: deps.ids.next("call") },
        make: async (made, reserved) => {
          const { to, contactId = null } = request.body;
          const started = await deps.useCases.startTestCall(callerOf(request), {
            campaignId: pathId("cmp", request.params.id),
            reservedCallId: reserved ? parseId("call", String(made["callId"])) : null,
            to,
            contactId,
          });
          if (!started.ok) throw refusalError(started.refusal);
          await readYourOwnWrite(deps, reply, started.position);
          return { status: 200, body: data(started.value) };
        },
      }),
  );
}
