import multipart from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { TOO_MANY_CONTACTS } from "../../application/campaign/screen-contacts.ts";
import { refusedStartTime } from "../../application/campaign/start-time.ts";
import { MAX_CONTACTS } from "../../domain/campaign/importing.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import type { CheckedBody } from "../body/check-json.ts";
import type { BodyChecks } from "../body/check-protocol.ts";
import type { BodyGates } from "../body/raw-body.ts";
import { bytesOf, ownerOf, readBody } from "../body/read-body.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { refusalError, validationError } from "../errors.ts";
import { exchangeOf } from "../exchange.ts";
import { answer } from "../schema.ts";
import { campaignWithReport, importReport } from "./answer-schemas.ts";
import { CREATION_ERRORS, createOnce } from "./create-routes.ts";
import { importSettingsOf } from "./import-settings.ts";
import { campaignInput } from "./inputs.ts";
import type { ContactsFile } from "./read-contacts-csv.ts";
import { type ImportForm, importDigest, readImportForm } from "./read-import-form.ts";

type Bodies = { readonly checks: BodyChecks; readonly gates: BodyGates };

const DESCRIPTION =
  "A CSV file with the columns phone and name (any case); every other column is a customData key. " +
  "As text/csv with the query `settings`, or as multipart/form-data with the parts `settings` and `file`. " +
  "`settings` is the body of POST /campaigns without contacts, as JSON.";

/** Its own scope, because only this route takes files. */
export function registerImport(api: Api, deps: ApiDeps, bodies: Bodies): void {
  api.register(async (scoped: Api) => {
    scoped.addContentTypeParser(
      /^text\/csv(?:\s*;.*)?$/i,
      (request: FastifyRequest, payload: FastifyRequest["raw"]) => readBody(bodies.gates, request, payload),
    );
    await scoped.register(multipart);
    registerRoute(scoped, deps, bodies);
  });
}

function registerRoute(api: Api, deps: ApiDeps, bodies: Bodies): void {
  api.post(
    "/api/v1/campaigns/import",
    {
      schema: {
        operationId: "importCampaign",
        summary: "Creates a campaign from a CSV file",
        description: DESCRIPTION,
        tags: ["campaigns"],
        querystring: z.object({
          dryRun: z.enum(["true", "false"]).optional(),
          settings: z.string().meta({ description: "With text/csv: JSON" }).optional(),
        }),
        response: { 200: answer(importReport), 201: answer(campaignWithReport) },
      },
      config: {
        scope: "campaigns:write",
        idempotent: true,
        errors: CREATION_ERRORS,
        takesFile: true,
      },
    },
    async (request, reply) => {
      const form = request.isMultipart()
        ? await readImportForm(bodies.gates, request)
        : fileWithQuery(request, request.query.settings);
      const settings = importSettingsOf(form.settings);
      const signal = exchangeOf(request).signal();
      const { skipDuplicates = false } = settings;
      const task = { kind: "csv", skipDuplicates } as const;
      const file = fileOf(await bodies.checks.check(task, form.file, signal, ownerOf(request)));
      if (request.query.dryRun === "true") {
        const input = campaignInput(settings, { ...file, reservedCampaignId: null });
        const wrongTime = refusedStartTime(input.startAt, deps.clock.now());
        if (wrongTime !== null) throw refusalError(wrongTime.refusal);
        const screened = await deps.useCases.screenImport(callerOf(request), input);
        const { accepted, rejected, duplicates } = screened;
        if (accepted > MAX_CONTACTS)
          throw validationError("The file", [{ path: ["file"], message: TOO_MANY_CONTACTS }]);
        return data({
          totalContacts: accepted,
          rejectedContacts: rejected,
          duplicateContacts: duplicates,
        });
      }
      return createOnce(deps, request, reply, (reservedCampaignId) =>
        campaignInput(settings, { ...file, reservedCampaignId }),
      );
    },
  );
}

/** What decides about a request beside the file decides about its idempotency too. */
function fileWithQuery(request: FastifyRequest, settings: string | undefined): ImportForm {
  request.bodyDigest = importDigest(settings, request.bodyDigest);
  return { file: bytesOf(request.body), settings };
}

function fileOf(checked: CheckedBody): ContactsFile {
  if (!checked.ok) throw validationError("The file", checked.kind === "invalid" ? checked.details : []);
  return checked.value as ContactsFile;
}
