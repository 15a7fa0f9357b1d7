import { answer, jsonObject } from "../../contract/fields.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import { concurrencyOf } from "../concurrency.ts";
import type { ApiDeps } from "../deps.ts";
import { refusalError } from "../errors.ts";
import { preview } from "./answer-schemas.ts";
import { previewBody } from "./schemas.ts";

const PREVIEWS_AT_ONCE = 4;

export function registerPreview(api: Api, { useCases }: ApiDeps): void {
  const enter = concurrencyOf(PREVIEWS_AT_ONCE, "previews of this owner");
  api.post(
    "/api/v1/campaigns/preview",
    {
      schema: {
        operationId: "previewCampaign",
        summary: "What would be said to each of up to 20 contacts; nothing is made",
        tags: ["campaigns"],
        body: previewBody,
        response: { 200: answer(preview) },
      },
      config: {
        scope: "campaigns:write",
        errors: ["ASSISTANT_NOT_FOUND@400", "ASSISTANT_NOT_PUBLISHED", "CONCURRENCY_LIMIT_REACHED"],
      },
    },
    async (request) => {
      const caller = callerOf(request);
      const leave = enter(caller.owner);
      try {
        const { greetingMessage, specialInstructions, assistantId, contacts } = request.body;
        const previewed = await useCases.previewTexts(caller, {
          greetingMessage: greetingMessage ?? null,
          specialInstructions: specialInstructions ?? null,
          assistantId: assistantId ?? null,
          contacts: contacts.map(({ name, customData }) => ({
            name: name ?? null,
            customData: jsonObject(customData),
          })),
        });
        if (!previewed.ok) throw refusalError(previewed.refusal);
        return data(previewed.value);
      } finally {
        leave();
      }
    },
  );
}
