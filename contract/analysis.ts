import { z } from "zod";
import { answer, wholeNumber } from "./fields.ts";
import { routes } from "./route.ts";

const MOST_VERSIONS = 1_000_000;

/** May be left out whole. */
const analysisBody = z
  .strictObject({
    assistantVersion: wholeNumber(1, MOST_VERSIONS)
      .nullish()
      .describe(
        "Version, counted from 1, of the assistant with which the call began, whose outcome settings and model are used; null or left out: the version with which it began",
      ),
  })
  .nullish()
  .meta({ id: "AnalysisRequest", examples: [{ assistantVersion: 3 }] });

const analysisRequested = z
  .object({
    analysisId: z
      .uuid()
      .describe("Id of the analysis; while one is pending, every further request answers with its id"),
    status: z.literal("pending").describe("The call is analysed as soon as the model has time for it"),
  })
  .meta({
    id: "AnalysisRequested",
    examples: [{ analysisId: "0198f9a4-6c1e-5d0a-9c3e-2b7a41d5c1f0", status: "pending" }],
  });

export const analysisRoutes = routes({
  requestAnalysis: {
    method: "POST",
    path: "/api/v1/calls/:callId/analysis",
    tag: "calls",
    summary: "Asks again what a call brought home",
    description:
      "The model reads the call once more, as it was heard, and its answer replaces the outcome of the call. A call is analysed ten times at most. " +
      "Refused, in this order: CONTENT_ERASED, CALL_NOT_ENDED, NOTHING_TO_ANALYSE (nobody answered, a machine did, or the customer said nothing in words), " +
      "OUTCOME_NOT_CONFIGURED (the version asks for nothing).",
    scope: "calls:write",
    body: analysisBody,
    answers: { 202: answer(analysisRequested) },
    idempotent: true,
    errors: [
      "CALL_NOT_FOUND",
      "CONTENT_ERASED",
      "CALL_NOT_ENDED",
      "NOTHING_TO_ANALYSE",
      "OUTCOME_NOT_CONFIGURED",
      "ANALYSIS_LIMIT_REACHED",
    ],
  },
});
