import { z } from "zod";
import { answer, anyObject, type DeepReadonly, reference } from "./fields.ts";
import { ANALYSED, EXAMPLE_OUTCOME, FAILURES, outcomeSettings } from "./outcome.ts";
import { routes } from "./route.ts";

const outcomeTestBody = z
  .strictObject({
    callId: reference.describe("Id of a call that is over"),
    outcome: outcomeSettings
      .nullish()
      .describe("What the call is asked for; null or left out: what the draft of the assistant asks for"),
  })
  .meta({ id: "OutcomeTestRequest", examples: [{ callId: "call_01k4b2s9h3e8t9v0w1x2y3z4a5" }] });

const outcomeTestRecord = z
  .object({
    failure: z
      .object({
        reason: z.enum(FAILURES).describe("Why there is no answer"),
        message: z.string().describe("What went wrong, in a sentence"),
      })
      .nullable()
      .describe("Why nothing would be stored after this try; null: the model answered"),
    outcome: z
      .object({
        ...ANALYSED,
        truncated: z.boolean().describe("true: the call was too long, its oldest turns were left out"),
      })
      .nullable()
      .describe("What would be stored; null: the model failed"),
    request: z
      .object({
        system: z.string().describe("What the model was told"),
        user: z.string().describe("The transcript as it was given"),
        jsonSchema: anyObject.describe("JSON schema of the answer"),
      })
      .describe("What the model was asked first; a repair names besides what did not fit"),
    tokens: ANALYSED.model.describe("The model and the tokens of all requests; null: nobody answered"),
  })
  .meta({
    id: "OutcomeTest",
    examples: [
      {
        failure: null,
        outcome: {
          fields: EXAMPLE_OUTCOME.fields,
          evidence: EXAMPLE_OUTCOME.evidence,
          unsupported: [],
          summary: EXAMPLE_OUTCOME.summary,
          success: true,
          truncated: false,
          model: EXAMPLE_OUTCOME.model,
        },
        request: { system: "You read …", user: "<transcript>…</transcript>", jsonSchema: { type: "object" } },
        tokens: EXAMPLE_OUTCOME.model,
      },
    ],
  });
export type OutcomeTestRecord = DeepReadonly<z.infer<typeof outcomeTestRecord>>;

export const outcomeTestRoutes = routes({
  testOutcome: {
    method: "POST",
    path: "/api/v1/assistants/:id/outcome/test",
    tag: "assistants",
    summary: "Asks the model of the draft what a past call brought home, and stores nothing but its tokens",
    description:
      "The key needs calls:read as well. Four at once for each owner. Refused as an analysis of the call would be, in the same order.",
    scope: "assistants:*",
    body: outcomeTestBody,
    answers: { 200: answer(outcomeTestRecord) },
    errors: [
      "ASSISTANT_NOT_FOUND",
      "CALL_NOT_FOUND@400",
      "CONTENT_ERASED",
      "CALL_NOT_ENDED",
      "NOTHING_TO_ANALYSE",
      "OUTCOME_NOT_CONFIGURED",
      "INSUFFICIENT_CREDITS",
      "CONCURRENCY_LIMIT_REACHED",
    ],
  },
});
