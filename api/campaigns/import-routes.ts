import multipart from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { refusedStartTime } from "../../application/campaign/start-time.ts";
import { answer } from "../../contract/fields.ts";
import type { Api } from "../api.ts";
import type { CheckedBody } from "../body/check-json.ts";
import type { BodyChecks } from "../body/check-protocol.ts";
import type { BodyGates } from "../body/raw-body.ts";
import { bytesOf, ownerOf, readBody } from "../body/read-body.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { refusalError, validationError } from "../errors.ts";
import { exchangeOf } from "../exchange.ts";
import { importedCampaign } from "./answer-schemas.ts";
import { CREATION_ERRORS, createOnce } from "./create-routes.ts";
import { answerDryRun, dryRunAnswer, readingOptions } from "./dry-run.ts";
import { importSettingsOf } from "./import-settings.ts";
import { campaignInput } from "./inputs.ts";
import type { ContactsFile } from "./read-contacts-csv.ts";
import { charsetOf, type ImportForm, importDigest, readImportForm } from "./read-import-form.ts";

type Bodies = { readonly checks: BodyChecks; readonly gates: BodyGates };

const DESCRIPTION =
  "A CSV file with the columns phone and name (any case); every other column is a customData key. " +
  "As text/csv with the query `settings`, or as multipart/form-data with the parts `settings` and `file`. " +
  "`settings` is the body of POST /campaigns without contacts, as JSON. Beside that it takes " +
  "`columns` {phone?, name?, timezone?, externalId?}, the names of these columns in the file, and " +
  "`defaultCountry`, an ISO code: numbers that are not in E.164 form are then read as they are dialled in that " +
  "country, when exactly one valid number can be meant. The file is UTF-8, UTF-16 with its mark, or of the charset in its content type. `rejected=all` with `dryRun=true` names every rejected " +
  "row (100,000 at the most), with Accept: text/csv as a file of their line, reason and own cells. Reasons: missing_phone, " +
  "not_e164, not_possible, spreadsheet_number (9.05E+11), bad_timezone, duplicate, text_too_long, too_many_cells, " +
  "too_few_cells, bad_row (it cannot be read), invalid_character, name_too_long, external_id_too_long, custom_data_too_large.";

/** A Fastify scope of its own, because only this route accepts files. */
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
          rejected: z
            .enum(["all"])
            .optional()
            .meta({ description: "With dryRun=true: every rejected row is named, not only the first 100" }),
          settings: z.string().meta({ description: "With text/csv: JSON" }).optional(),
        }),
        response: { 200: dryRunAnswer, 201: answer(importedCampaign) },
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
      const options = readingOptions(settings, request.query, {
        accept: request.headers.accept,
        charset: form.charset,
      });
      const task = { kind: "csv", ...options } as const;
      const file = fileOf(await bodies.checks.check(task, form.file, signal, ownerOf(request)));
      if (request.query.dryRun === "true") {
        const input = campaignInput(settings, { ...file, reservedCampaignId: null });
        const wrongTime = refusedStartTime(input.startAt, deps.clock.now());
        if (wrongTime !== null) throw refusalError(wrongTime.refusal);
        const reportsAll = options.report !== "first";
        const screened = await deps.useCases.screenImport(callerOf(request), { ...input, reportsAll });
        return answerDryRun(reply, screened, file.lines);
      }
      return createOnce(
        deps,
        request,
        reply,
        (reservedCampaignId) => campaignInput(settings, { ...file, reservedCampaignId }),
        ({ normalizedNumbers }) => ({ normalized: normalizedNumbers }),
      );
    },
  );
}

/** Query parameters that affect a request are part of its idempotency digest. */
function fileWithQuery(request: FastifyRequest, settings: string | undefined): ImportForm {
  const charset = charsetOf(request.headers["content-type"]);
  request.bodyDigest = importDigest(settings, request.bodyDigest, charset);
  return { file: bytesOf(request.body), settings, charset };
}

function fileOf(checked: CheckedBody): ContactsFile {
  if (!checked.ok) throw validationError("The file", checked.kind === "invalid" ? checked.details : []);
  return checked.value as ContactsFile;
}
