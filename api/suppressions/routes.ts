import { z } from "zod";
import { answer, list, pageFields } from "../../contract/fields.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import { parsePhoneNumber } from "../../domain/shared/phone-number.ts";
import { data, pathParams } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { notFound } from "../errors.ts";
import { once } from "../idempotency.ts";
import { listAnswer, pageRequest, parseWhole } from "../pagination.ts";
import { configurationWritten } from "../positions.ts";
import {
  type SuppressionItem,
  suppression,
  suppressionBody,
  suppressionDeleted,
  suppressionReport,
} from "./schemas.ts";
import { screenItems } from "./screen-items.ts";

const TAGS = ["suppressions"];
const suppressions = { list: "suppressions", parse: parseWhole };

/** One number, or the report about many. */
const suppressed = z.union([suppression, suppressionReport]);

/** The owner's do-not-call list (docs/api.md §3). */
export function registerSuppressions(api: Api, deps: ApiDeps): void {
  registerAddition(api, deps);
  registerList(api, deps);
  registerDeletion(api, deps);
}

function registerAddition(api: Api, deps: ApiDeps): void {
  api.post(
    "/api/v1/suppressions",
    {
      schema: {
        operationId: "addSuppression",
        summary: "Nobody calls this number any more, or these 1 to 10,000",
        tags: TAGS,
        body: suppressionBody,
        response: { 200: answer(suppressed), 201: answer(suppressed) },
      },
      config: { scope: "calls:write", idempotent: true },
    },
    (request, reply) =>
      once(deps, request, reply, {
        ids: {},
        make: async () => {
          const { phoneNumber, reason = null, items = [] } = request.body;
          const { owner, actor } = callerOf(request);
          const made =
            phoneNumber === undefined
              ? await addMany(deps, owner, actor, items)
              : await deps.configuration.suppressions.add(owner, phoneNumber, reason, actor);
          await configurationWritten(deps, reply);
          return { status: made.created ? 201 : 200, body: data(made.value) };
        },
      }),
  );
}

function registerList(api: Api, deps: ApiDeps): void {
  api.get(
    "/api/v1/suppressions",
    {
      schema: {
        operationId: "listSuppressions",
        summary: "Numbers that nobody calls, newest first",
        tags: TAGS,
        querystring: z.object(pageFields),
        response: { 200: list(suppression) },
      },
      config: { scope: "calls:read" },
    },
    async (request) => {
      const page = pageRequest(suppressions, request.query);
      const rows = await deps.configuration.suppressions.list(callerOf(request).owner, page);
      return listAnswer(suppressions, page, rows);
    },
  );
}

function registerDeletion(api: Api, deps: ApiDeps): void {
  api.delete(
    "/api/v1/suppressions/:phoneNumber",
    {
      schema: {
        operationId: "deleteSuppression",
        summary: "The number may be called again",
        tags: TAGS,
        params: pathParams("phoneNumber"),
        response: { 200: answer(suppressionDeleted) },
      },
      config: { scope: "calls:write", errors: ["SUPPRESSION_NOT_FOUND"] },
    },
    async (request, reply) => {
      const number = parsePhoneNumber(request.params.phoneNumber);
      const gone =
        number.ok && (await deps.configuration.suppressions.delete(callerOf(request).owner, number.value));
      if (!number.ok || !gone) throw notFound("SUPPRESSION_NOT_FOUND", "Suppression");
      await configurationWritten(deps, reply);
      return data({ phoneNumber: number.value, deleted: true as const });
    },
  );
}

async function addMany(deps: ApiDeps, owner: OwnerId, by: string, items: Iterable<SuppressionItem>) {
  const { accepted, reasons, rejected } = screenItems(items);
  const added = await deps.configuration.suppressions.addAll(owner, reasons, by);
  return { created: added > 0, value: { added, existing: accepted - added, rejected } };
}
