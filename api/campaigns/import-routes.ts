import multipart from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { refusedStartTime } from "../../application/campaign/start-time.ts";
import type { ProblemDetail } from "../../application/outcome.ts";
import { campaignImportRoutes, type ImportSettings, importSettings } from "../../contract/campaign-import.ts";
import type { Api } from "../api.ts";
import { type CheckedBody, checkJson } from "../body/check-json.ts";
import type { BodyChecks } from "../body/check-protocol.ts";
import type { BodyGates } from "../body/raw-body.ts";
import { bytesOf, ownerOf, readBody } from "../body/read-body.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { refusalError, tooManyValues, validationError } from "../errors.ts";
import { exchangeOf } from "../exchange.ts";
import { of } from "../route.ts";
import { campaignInput, createOnce } from "./create-routes.ts";
import { answerDryRun, readingOptions } from "./dry-run.ts";
import type { ContactsFile } from "./read-contacts-csv.ts";
import { charsetOf, type ImportForm, importDigest, readImportForm } from "./read-import-form.ts";

type Bodies = { readonly checks: BodyChecks; readonly gates: BodyGates };

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
  api.route({
    ...of(campaignImportRoutes.importCampaign),
    handler: async (request, reply) => {
      const form = request.isMultipart()
        ? await readImportForm(bodies.gates, request)
        : fileWithQuery(request, request.query.settings);
      const settings = settingsOf(form.settings);
      const signal = exchangeOf(request).signal();
      const options = readingOptions(settings, request.query, {
        accept: request.headers.accept,
        charset: form.charset,
      });
      const task = { kind: "csv", ...options } as const;
      const file = fileOf(await bodies.checks.check(task, form.file, signal, ownerOf(request)));
      const input = { ...campaignInput(settings), ...file };
      if (request.query.dryRun === "true") {
        const wrongTime = refusedStartTime(input.startAt ?? null, deps.clock.now());
        if (wrongTime !== null) throw refusalError(wrongTime.refusal);
        const reportsAll = options.report !== "first";
        const screened = await deps.useCases.screenImport(callerOf(request), { ...input, reportsAll });
        return answerDryRun(reply, screened, file.lines);
      }
      return createOnce(deps, request, reply, input, ({ normalizedNumbers }) => ({
        normalized: normalizedNumbers,
      }));
    },
  });
}

/** The JSON text of the part or query `settings`; its problems are reported under that name. */
function settingsOf(text: string | undefined): ImportSettings {
  if (text === undefined) throw wrongSettings([{ path: [], message: "Required" }]);
  const checked = checkJson(Buffer.from(text), importSettings);
  if (checked.ok) return importSettings.parse(checked.value);
  if (checked.kind === "too_many_values") throw tooManyValues();
  throw wrongSettings(
    checked.kind === "invalid" ? checked.details : [{ path: [], message: checked.message }],
  );
}

function wrongSettings(details: readonly ProblemDetail[]) {
  return validationError(
    "The request",
    details.map(({ path, message }) => ({ path: ["settings", ...path], message })),
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
