import type { FastifyReply, FastifyRequest } from "fastify";
import type {
  CampaignCreatedAnswer,
  CreateCampaignRequest,
} from "../../application/campaign/create-campaign.ts";
import { answer } from "../../contract/fields.ts";
import type { ImportId } from "../../domain/shared/ids.ts";
import { data, pathParams } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { refusalError } from "../errors.ts";
import { once } from "../idempotency.ts";
import { parseId, pathId } from "../ids.ts";
import { readYourOwnWrite } from "../positions.ts";
import { addedContacts, campaignWithReport } from "./answer-schemas.ts";
import { campaignAfterWrite } from "./answers.ts";
import { campaignInput, contactInputs } from "./inputs.ts";
import { addContactsBody, createCampaignBody } from "./schemas.ts";

const TAGS = ["campaigns"];

/** References in the body that are missing, inactive or unpublished. */
export const CREATION_ERRORS = [
  "PHONE_NUMBER_NOT_FOUND@400",
  "ASSISTANT_NOT_FOUND@400",
  "ASSISTANT_NOT_PUBLISHED",
  "SQUAD_NOT_FOUND@400",
] as const;

export function registerCreation(api: Api, deps: ApiDeps): void {
  api.post(
    "/api/v1/campaigns",
    {
      schema: {
        operationId: "createCampaign",
        summary: "Creates a campaign of 1 to 10,000 contacts",
        tags: TAGS,
        body: createCampaignBody,
        response: { 201: answer(campaignWithReport) },
      },
      config: { scope: "campaigns:write", idempotent: true, errors: CREATION_ERRORS },
    },
    (request, reply) => {
      const { contacts, ...settings } = request.body;
      const input: CampaignInput = (reservedCampaignId) =>
        campaignInput(settings, { contacts: contactInputs(contacts), refusedRows: [], reservedCampaignId });
      return createOnce(deps, request, reply, input, () => ({}));
    },
  );
  api.post(
    "/api/v1/campaigns/:id/contacts",
    {
      schema: {
        operationId: "addContacts",
        summary: "Adds contacts; 10,000 in all at the most",
        tags: TAGS,
        params: pathParams("id"),
        body: addContactsBody,
        response: { 200: answer(addedContacts) },
      },
      config: {
        scope: "campaigns:write",
        idempotent: true,
        errors: ["CAMPAIGN_NOT_FOUND", "CAMPAIGN_INVALID_STATE"],
      },
    },
    (request, reply) =>
      once(deps, request, reply, {
        ids: { importId: deps.ids.next("imp") },
        make: async (made, reserved) => {
          const caller = callerOf(request);
          const id = pathId("cmp", request.params.id);
          const importId: ImportId | null = reserved ? parseId("imp", String(made["importId"])) : null;
          const added = await deps.useCases.addContacts(caller, id, {
            reservedImportId: importId,
            contacts: contactInputs(request.body.contacts),
            refusedRows: [],
            skipDuplicates: request.body.skipDuplicates ?? false,
          });
          if (!added.ok) throw refusalError(added.refusal);
          const caughtUp = await readYourOwnWrite(deps, reply, added.position);
          const { rejectedContacts, warnings } = added.value;
          const after = await campaignAfterWrite(deps, caller.owner, id, caughtUp);
          return { status: 200, body: data({ ...after, rejectedContacts, warnings }) };
        },
      }),
  );
}

type CampaignInput = (
  reservedCampaignId: CreateCampaignRequest["reservedCampaignId"],
) => CreateCampaignRequest;

/** POST /campaigns and /campaigns/import: the same answer, with `more` for the latter. */
export function createOnce<More extends object>(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  input: CampaignInput,
  more: (created: CampaignCreatedAnswer) => More,
) {
  return once(deps, request, reply, {
    ids: { campaignId: deps.ids.next("cmp") },
    make: async (made, reserved) => {
      const caller = callerOf(request);
      const reservedId = reserved ? parseId("cmp", String(made["campaignId"])) : null;
      const created = await deps.useCases.createCampaign(caller, input(reservedId));
      if (!created.ok) throw refusalError(created.refusal);
      const caughtUp = await readYourOwnWrite(deps, reply, created.position);
      const { campaignId, rejectedContacts, duplicateContacts, warnings } = created.value;
      const after = await campaignAfterWrite(deps, caller.owner, campaignId, caughtUp);
      const report = { rejectedContacts, duplicateContacts, ...more(created.value), warnings };
      return { status: 201, body: data({ ...after, ...report }) };
    },
  });
}
