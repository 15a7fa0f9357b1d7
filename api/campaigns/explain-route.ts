import { z } from "zod";
import { VERDICTS } from "../../application/ports/queries/history-records.ts";
import { answer, idOf, instant, instantInput } from "../../contract/fields.ts";
import { data, pathParams } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { pathId, unknownId } from "../ids.ts";
import { languageOf } from "../language.ts";
import { positionText, telling } from "../positions.ts";

export const explanation = z
  .object({
    campaignId: idOf("cmp"),
    contactId: idOf("ctc"),
    at: instant.describe("Of which moment it tells"),
    verdict: z.enum(VERDICTS).describe("The first of these that holds"),
    sentence: z
      .string()
      .describe("In English or Turkish, by Accept-Language; claims nothing but what `because` says"),
    until: instant.nullable().describe("When it may change by itself; null: not by itself"),
    because: z
      .array(
        z.object({
          position: z.string().describe("Its place in the log"),
          type: z.string().describe("What happened"),
          at: instant.describe("When"),
        }),
      )
      .describe("The events that it rests on"),
  })
  .meta({
    id: "Explanation",
    examples: [
      {
        campaignId: "cmp_01k4b2s9h3e8t9v0w1x2y3z4a5",
        contactId: "ctc_01k4b2s9h3e8t9v0w1x2y3z4a5",
        at: "2026-09-01T10:00:00.000Z",
        verdict: "not_started",
        sentence: "Ayşe (+905321112233) waits for the campaign, which has not been started.",
        until: null,
        because: [{ position: "42", type: "CampaignCreated", at: "2026-09-01T09:00:00.000Z" }],
      },
    ],
  });

/** Why a contact is called, or is not. */
export function registerExplain(api: Api, { queries, clock }: ApiDeps): void {
  api.get(
    "/api/v1/campaigns/:id/contacts/:contactId/explain",
    {
      schema: {
        operationId: "explainContact",
        summary: "Why this contact is, or then was, as it is",
        description:
          "From the log alone. Of `due` it says that nobody dialled: what kept the campaign from it (pace, slots, the carrier) is no event; for now GET /campaigns/:id/progress tells it.",
        tags: ["campaigns"],
        params: pathParams("id", "contactId"),
        querystring: z.object({ at: instantInput.optional() }),
        response: { 200: answer(explanation) },
      },
      config: { scope: "campaigns:read", errors: ["CAMPAIGN_NOT_FOUND", "CONTACT_NOT_FOUND"] },
    },
    async (request, reply) => {
      const campaignId = pathId("cmp", request.params.id);
      const contactId = pathId("ctc", request.params.contactId);
      const { at = clock.now() } = request.query;
      const question = { campaignId, contactId, at, language: languageOf(request) };
      const told = await queries.explain(callerOf(request).owner, question, telling(reply));
      if (told === "campaign_unknown") throw unknownId("cmp");
      if (told === "contact_unknown") throw unknownId("ctc");
      reply.header("Content-Language", question.language).header("Vary", "Accept-Language");
      const because = told.because.map((event) => ({ ...event, position: positionText(event.position) }));
      return data({ ...told, because });
    },
  );
}
